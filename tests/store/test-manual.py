#!/usr/bin/python3
"""The manual page, --help and the shell's completion know every command and every option that the sources have."""
import glob
import os
import re
import subprocess
import sys
import tempfile

CLI = os.path.abspath(sys.argv[1])
ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..')
sys.path.insert(0, os.path.join(ROOT, 'tests', 'common'))
import tap

# Options of a file that several commands share; which of these does what with them, their help says.
SHARED = {'open.c': ['report', 'flame', 'save', 'tasks', 'operations', 'links', 'info']}
ENTRY = re.compile(r'\{ "([a-z-]+)", (?:0|\'(.)\'), ?([A-Z_0-9|a-z ]+), G_OPTION_ARG_')


def read(path):
    with open(path, encoding='utf-8') as file:
        return file.read()


def run(*args):
    return subprocess.run([CLI, *args], capture_output=True, text=True)


COMMANDS = re.findall(r'^  ([a-z]+) ', run('--help').stdout, re.M)
MANUAL = read(os.path.join(ROOT, 'data', 'man', 'wakepath-cli.1'))
SECTIONS = {}
for section in re.split(r'^\.S[HS] ', MANUAL, flags=re.M)[1:]:
    SECTIONS[section.split()[0]] = section.replace('\\-', '-')
SHARED_SECTION = SECTIONS['Options']
tap.check('there are commands', len(COMMANDS) > 15, COMMANDS)


def names(text, option):
    return re.search(rf'--{option}(?![a-z-])', text) is not None


FILES = {os.path.basename(path): ENTRY.findall(read(path)) for path in glob.glob(os.path.join(ROOT, 'src', 'cli', '*.c'))}
for command in COMMANDS:
    tap.check(f'{command}: in the manual', command in SECTIONS)
    done = run(command, '--help')
    tap.check(f'{command} --help', done.returncode == 0 and f'wakepath-cli {command}' in done.stdout, done)
    tap.check(f'help {command}, {command} -h', run('help', command).stdout == run(command, '-h').stdout == done.stdout)
    for option, letter, flags in FILES.get(f'{command}.c', []):
        if 'HIDDEN' in flags:
            continue
        tap.check(f'{command} --{option}: in the manual', names(SECTIONS.get(command, ''), option))
        tap.check(f'{command} --{option}: in its help', names(done.stdout, option) or f'-{letter} ' in done.stdout, done.stdout)
for file, commands in SHARED.items():
    helps = [run(command, '--help').stdout for command in commands]
    for option, letter, _ in FILES[file]:
        tap.check(f'--{option} of {file}: in the manual', names(SHARED_SECTION, option))
        tap.check(f'--{option} of {file}: in a help', any(names(text, option) or f'-{letter} ' in text for text in helps))
owners = {f'{command}.c' for command in COMMANDS} | set(SHARED)
tap.check('no other file has options', all(not found for file, found in FILES.items() if file not in owners),
          [file for file, found in FILES.items() if found and file not in owners])
WINDOW = read(os.path.join(ROOT, 'data', 'man', 'wakepath.1')).replace('\\-', '-')
window_options = ENTRY.findall(read(os.path.join(ROOT, 'src', 'app', 'shell', 'application.c')))
tap.check('the window has options', len(window_options) > 1, window_options)
for option, letter, _ in window_options:
    tap.check(f'wakepath --{option}: in the manual', names(WINDOW, option) and (not letter or f'-{letter}' in WINDOW))
for name in ('wakepath.1', 'wakepath-cli.1'):
    path = os.path.join(ROOT, 'data', 'man', name)
    done = subprocess.run(['groff', '-man', '-ww', '-z', '-K', 'utf8', path], capture_output=True, text=True)
    tap.check(f'{name}: no warning of groff', done.returncode == 0 and not done.stderr, done)

with tempfile.TemporaryDirectory() as folder:
    os.symlink(CLI, os.path.join(folder, 'wakepath-cli'))

    def complete(*words):
        script = ('. "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _wakepath_cli wakepath-cli "${COMP_WORDS[COMP_CWORD]}"; '
                  'printf "%s\\n" "${COMPREPLY[@]}"')
        done = subprocess.run(['bash', '-c', script, os.path.join(ROOT, 'data', 'wakepath-cli.bash'), *words], cwd=folder,
                              capture_output=True, text=True, env={**os.environ, 'PATH': folder + ':' + os.environ['PATH']})
        return done.stdout.split() if not done.stderr else done

    found = complete('wakepath-cli', '')
    tap.check('completion: commands', sorted(found) == sorted([*COMMANDS, '--help', '--version']), found)
    tap.check('completion: a command begun', complete('wakepath-cli', 'st') == ['status'])
    tap.check('completion: options', complete('wakepath-cli', 'add', '--k') == ['--keep-profile'])
    tap.check('completion: files', complete('wakepath-cli', 'report', 'wake') == ['wakepath-cli'])
sys.exit(tap.end())
