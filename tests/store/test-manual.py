#!/usr/bin/python3
"""The manual page, --help and completion, which are made of the table of commands: that they are well formed and say what the program does.
The options of the examples in README.md are there."""
import os
import re
import subprocess
import sys
import tempfile

CLI, MANUAL, COMPLETION = map(os.path.abspath, sys.argv[1:4])
ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..')
sys.path.insert(0, os.path.join(ROOT, 'tests', 'common'))
import tap

ENTRY = re.compile(r'\{ "([a-z-]+)", (?:0|\'(.)\'), ?[A-Z_0-9|a-z ]+, G_OPTION_ARG_')


def read(path):
    with open(path, encoding='utf-8') as file:
        return file.read()


def run(*args, **more):
    return subprocess.run([CLI, *args], capture_output=True, text=True, **more)


def names(text, option):
    return re.search(rf'--{option}(?![a-z-])', text) is not None


COMMANDS = re.findall(r'^  ([a-z]+) ', run('--help').stdout, re.M)
tap.check('there are commands', len(COMMANDS) > 15, COMMANDS)
OPTIONS = {}
page = subprocess.run(['groff', '-man', '-ww', '-Tascii', '-P-cbou', MANUAL], capture_output=True, text=True)
tap.check('wakepath-cli.1: no warning of groff', page.returncode == 0 and not page.stderr, page.stderr)
SECTIONS = {section.split(None, 1)[0]: section for section in re.split(r'^   (?=[a-z]+$)', page.stdout, flags=re.M)[1:]}
tap.check('a section of the manual for each command', list(SECTIONS) == COMMANDS, list(SECTIONS))

with tempfile.TemporaryDirectory() as folder:
    open(os.path.join(folder, 'FILE'), 'w', encoding='utf-8').close()
    for command in COMMANDS:
        done = run(command, '--help', cwd=folder)
        said = done.stdout
        tap.check(f'{command} --help', done.returncode == 0 and said.startswith(f'Usage: wakepath-cli {command} ') and not done.stderr, done)
        forms = [run('help', command), run(command, '-h'), run(command, '--help', 'FILE')]
        if command != 'record':
            forms.append(run(command, 'FILE', '--help', cwd=folder))
        tap.check(f'{command}: one help however it is asked for', all(form.stdout == said and form.returncode == 0 for form in forms), forms)
        tap.check(f'{command}: no line of its help is too long', all(len(line) <= 80 for line in said.splitlines()), said)
        OPTIONS[command] = re.findall(r'^ +(?:-., )?--([a-z-]+)', said, re.M)
        missing = [option for option in OPTIONS[command] if option != 'help' and not names(SECTIONS[command], option)]
        tap.check(f'{command}: the manual has the {len(OPTIONS[command])} options of its help', not missing, missing)
    done = run('record', 'ls', '--help', cwd=folder)
    tap.check('record ls --help is for ls', 'Usage: wakepath-cli' not in done.stdout, done)

    # Completion, as bash would ask for it.
    def complete(*words):
        script = ('. "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _wakepath_cli wakepath-cli "${COMP_WORDS[COMP_CWORD]}"; '
                  'printf "%s\\n" "${COMPREPLY[@]}"')
        done = subprocess.run(['bash', '-c', script, COMPLETION, *words], cwd=folder, capture_output=True, text=True)
        return done.stdout.split() if not done.stderr else done

    def offers(words, expected):
        found = complete('wakepath-cli', *words)
        tap.check(f'completion of {" ".join(words)}|', found == expected, found)

    found = complete('wakepath-cli', '')
    tap.check('completion: commands', sorted(found) == sorted([*COMMANDS, 'help', '--help', '--version']), found)
    for command in COMMANDS:
        found = complete('wakepath-cli', command, '--')
        tap.check(f'completion: options of {command}', found == [f'--{option}' for option in OPTIONS[command]], found)
    offers(['st'], ['status'])
    offers(['help', 'st'], ['status'])
    offers(['add', '--k'], ['--keep-profile'])
    offers(['report', 'F'], ['FILE'])
    offers(['report', '--format', 'm'], ['markdown'])
    offers(['report', '-f', 'm'], ['markdown'])
    offers(['report', '--format', '=', 'm'], ['markdown'])
    offers(['report', '--format', '='], ['text', 'tsv', 'json', 'markdown'])
    offers(['report', '--task', 'F'], [])
    offers(['flame', '-o', 'F'], ['FILE'])
    offers(['show', '0@i', 'f'], ['file'])
    offers(['show', '-m', 'HEAD', '0@i', 'f'], ['file'])
    offers(['check', 'pro'], ['profiles'])
    offers(['check', 'F'], ['FILE'])
    offers(['query', 'FILE', 'all_m'], ['all_models_of'])
    offers(['query', 'FILE', 'unique_m'], ['unique_model_values_of'])
    offers(['report', '--', '-'], [])
    for begun in (['record', 'tru'], ['record', '-o', 'FILE', '--', 'tru'], ['range', 'HEAD', '--', 'tru']):
        found = complete('wakepath-cli', *begun)
        tap.check(f'completion of {" ".join(begun)}|: programs', 'true' in found, found)
    offers(['record', 'true', 'F'], ['FILE'])
    offers(['record', 'true', '--'], [])
    offers(['range', 'HEAD', '--', 'true', 'F'], ['FILE'])

# What README.md shows.
with tempfile.TemporaryDirectory() as folder:
    examples = re.findall(r'^(?:_build/src/cli/)?wakepath-cli ([^#\n]*?) *(?:#.*)?$', read(os.path.join(ROOT, 'README.md')), re.M)
    tap.check('README.md has examples', len(examples) > 8, examples)
    for example in examples:
        for words in (part.replace('wakepath-cli ', '').split() for part in example.split(' && ')):
            done = run(words[0], '--help', *words[1:], cwd=folder)
            tap.check(f'wakepath-cli {" ".join(words)}: has options that there are', done.returncode == 0, done)

WINDOW = read(os.path.join(ROOT, 'data', 'man', 'wakepath.1')).replace('\\-', '-')
window_options = ENTRY.findall(read(os.path.join(ROOT, 'src', 'app', 'shell', 'application.c')))
tap.check('the window has options', len(window_options) > 1, window_options)
for option, letter in window_options:
    tap.check(f'wakepath --{option}: in the manual', names(WINDOW, option) and (not letter or f'-{letter}' in WINDOW))
done = subprocess.run(['groff', '-man', '-ww', '-z', '-K', 'utf8', os.path.join(ROOT, 'data', 'man', 'wakepath.1')], capture_output=True, text=True)
tap.check('wakepath.1: no warning of groff', done.returncode == 0 and not done.stderr, done)
sys.exit(tap.end())
