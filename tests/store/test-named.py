#!/usr/bin/python3
"""Names of profiles in every command that reads one: a path, a tag, COMMIT:NAME, the name of a registered profile; a commit alone
where sets are compared. Nothing is left in the temporary folder."""
import csv
import json
import os
import sys

from stores import cli, folder, head, put_profile, repository, unpack
import tap

TEMPORARY = folder()
os.environ['TMPDIR'] = TEMPORARY


def leftovers():
    return [name for name in os.listdir(TEMPORARY) if name.startswith('wakepath-')]


# Every command on a profile of each kind that Perun wrote.
ERA = unpack('0.16.9')
STATUS = cli(ERA, 'status', '--format', 'json').json()
READERS = [['query', '{}', 'all_resource_fields_of'], ['convert', '{}', 'table'], ['view', '{}'], ['view', '{}', 'raw'],
           ['show', '{}', 'raw'], ['show', '{}', 'json'], ['check', '{}', '{}'], ['diff', '{}', '{}'],
           ['postprocess', '{}', 'normalizer', '-o', os.path.join(folder(), 'out.perf')]]
for i, entry in enumerate(STATUS['registered']):
    with open(os.path.join(ERA, 'plain.perf'), 'w') as file:
        file.write(cli(ERA, 'show', f'{i}@i', 'json').out)
    for command in READERS:
        plain = cli(ERA, *[word.format('plain.perf') for word in command])
        for name in (f'{i}@i', f'HEAD:{i}@i', f'HEAD:{entry["name"]}', f'{STATUS["commit"][:10]}:{entry["name"]}', entry['name']):
            done = cli(ERA, *[word.format(name) for word in command])
            same = done.out == plain.out or command[0] in ('show', 'diff')
            tap.check(f'{" ".join(command[:3])} {name}', done.status == plain.status == 0 and same, (done, plain))
os.unlink(os.path.join(ERA, 'plain.perf'))

REPO = repository(3)
OLD, NOW = head(REPO, 'HEAD~1'), head(REPO)
for commit, name, amount in ((OLD, 'same.perf', 1), (NOW, 'same.perf', 5), (NOW, 'other.perf', 7)):
    put_profile(REPO, name, commit, amount)
    done = cli(REPO, 'add', '-m', commit, name)
    tap.check(f'added {name}', done.status == 0, done)


def amount(name):
    done = cli(REPO, 'query', name, 'unique_resource_values_of', 'amount')
    return done.out.strip() if done.status == 0 else done


tap.check('same name, two commits', amount('HEAD:same.perf') == '5' and amount('HEAD~1:same.perf') == '1' and amount('main~1:0@i') == '1',
          (amount('HEAD:same.perf'), amount('HEAD~1:same.perf'), amount('main~1:0@i')))
tap.check('a name without a commit is of HEAD', amount('same.perf') == '5')
put_profile(REPO, 'same.perf', NOW, 9)
tap.check('a file comes first', amount('same.perf') == '9' and amount('./same.perf') == '9' and amount('HEAD:same.perf') == '5')
os.unlink(os.path.join(REPO, 'same.perf'))
put_profile(os.path.join(REPO, '.perun', 'jobs'), 'waiting.perf', NOW, 11)
tap.check('pending', amount('0@p') == '11' and amount('waiting.perf') == '11')

# What cannot be meant.
for name, status, said in (('9@i', 2, '9@i'), ('HEAD:9@i', 2, '9@i'), ('HEAD:nothing.perf', 1, 'HEAD:nothing.perf'), ('nothing', 1, 'nothing'),
                           ('nowhere:same.perf', 1, 'nowhere:same.perf'), ('0@i-1@i', 2, '0@i-1@i')):
    for command in (['query', name, 'all_items_of'], ['report', name], ['info', name], ['flame', name], ['convert', name, 'table'],
                    ['view', name], ['postprocess', name, 'filter'], *([] if name == '0@i-1@i' else [['check', name, '0@i']])):
        done = cli(REPO, *command)
        tap.check(f'{command[0]} {name}', done.status == status and said in done.err and done.err.count('\n') <= 1, done)
outside = cli(folder(), 'query', '0@i', 'all_items_of')
tap.check('a tag without a store is a file that is not there', outside.status == 1 and '0@i' in outside.err, outside)

# A damaged object is named by the commit and the name, and what is not damaged stays usable.
done = cli(REPO, 'show', 'HEAD:other.perf', 'file')
with open(os.path.join(REPO, done.out.strip()), 'r+b') as file:
    file.seek(20)
    file.write(b'damage')
done = cli(REPO, 'query', 'HEAD:other.perf', 'all_items_of')
tap.check('a damaged object', done.status == 1 and 'damaged' in done.err and amount('HEAD:same.perf') == '5', done)

# Postprocessed: a file and a pending profile as they are, a registered one becomes another, pending one of its commit.
REPO = repository(2)
OLD, NOW = head(REPO, 'HEAD~1'), head(REPO)
put_profile(REPO, 'a.perf', OLD, 4)
cli(REPO, 'add', '-m', OLD, 'a.perf')
done = cli(REPO, 'postprocess', 'HEAD~1:a.perf', 'normalizer')
pending = cli(REPO, 'status', '--format', 'json').json()['pending']
tap.check('a registered profile becomes a pending one', done.status == 0 and len(pending) == 1 and pending[0]['origin'] == OLD
          and pending[0]['postprocessors'] == ['normalizer'] and done.out.strip().endswith(pending[0]['name']), (done, pending))
tap.check('and stays what it is', amount('HEAD~1:a.perf') == '4', amount('HEAD~1:a.perf'))
done = cli(REPO, 'postprocess', '0@p', 'filter')
pending = cli(REPO, 'status', '--format', 'json').json()['pending']
tap.check('a pending one is changed', done.status == 0 and len(pending) == 1 and pending[0]['postprocessors'] == ['normalizer', 'filter'],
          (done, pending))

# Removing what another commit has.
put_profile(REPO, 'a.perf', NOW, 4)
cli(REPO, 'add', 'a.perf')
done = cli(REPO, 'rm', 'HEAD~1:a.perf')
tap.check('removed where it was named', done.status == 0 and amount('HEAD:a.perf') == '4' and cli(REPO, 'show', 'HEAD~1:0@i').status == 2, done)

# Commits alone: the profiles of the same command on both sides.
REPO = repository(2)
OLD, NOW = head(REPO, 'HEAD~1'), head(REPO)
for i in range(5):
    for commit, base in ((OLD, 100), (NOW, 200)):
        put_profile(REPO, f'run-{i}.perf', commit, base + i, 1500000000 + i)
        cli(REPO, 'add', '-m', commit, f'run-{i}.perf')
done = cli(REPO, 'diff', 'HEAD~1', 'HEAD', '--format', 'json')
tap.check('two commits: worse', done.status == 3, done)
document = json.loads(done.out)
tap.check('five on each side, of these commits', [len(document[side]) if isinstance(document[side], list) else len(document[side]['profiles'])
                                                  for side in ('a', 'b')] == [5, 5], document if len(str(document)) < 3000 else sorted(document))
tap.check('the other way round: better', cli(REPO, 'diff', 'main', 'main~1').status == 0)
put_profile(REPO, 'solo.perf', NOW, 7)
text = json.load(open(os.path.join(REPO, 'solo.perf')))
text['header']['cmd'] = './solo'
json.dump(text, open(os.path.join(REPO, 'solo.perf'), 'w'))
cli(REPO, 'add', 'solo.perf')
tap.check('what only one has does not count', cli(REPO, 'diff', 'HEAD~1', 'HEAD').status == 3)
tap.check('a commit beside a profile', cli(REPO, 'diff', 'HEAD~1:run-0.perf', 'HEAD', '--threshold', '10').status == 3)
tap.check('nothing in common', cli(REPO, 'diff', 'HEAD:solo.perf', 'HEAD~1').status == 1)
tap.check('--command: none like it', cli(REPO, 'diff', 'HEAD~1', 'HEAD', '--command', 'solo').status == 1)
text['origin'] = OLD
json.dump(text, open(os.path.join(REPO, 'solo.perf'), 'w'))
cli(REPO, 'add', '-m', OLD, 'solo.perf')
done = cli(REPO, 'diff', 'HEAD~1', 'HEAD')
tap.check('two commands: choose', done.status == 2 and './solo' in done.err and './a.out' in done.err, done)
tap.check('chosen', cli(REPO, 'diff', 'HEAD~1', 'HEAD', '--command', 'a.out').status == 3)


def runs_shown(*options):
    """What was run of the profiles that the history is of."""
    rows = csv.DictReader(cli(REPO, 'log', '--history', 'total', '--format', 'csv', *options).out.splitlines())
    return sorted({row['run'] for row in rows})


SOLO = './solo -x 1 in.txt'
text['header']['workload'] += ' more'
for commit, name in ((OLD, 'old.perf'), (NOW, 'now.perf')):
    text['origin'] = commit
    json.dump(text, open(os.path.join(REPO, name), 'w'))
    cli(REPO, 'add', '-m', commit, name)
done = cli(REPO, 'diff', 'HEAD~1', 'HEAD', '--command', 'solo')
tap.check('--command: in two of them', done.status == 2 and SOLO + ' more' in done.err and 'a.out' not in done.err, done)
done = cli(REPO, 'diff', 'HEAD~1', 'HEAD', '--command', SOLO)
tap.check('--command: the one that is just this', done.status == 0, done)
whole = runs_shown()
tap.check('log --history: all that was run', len(whole) == 3 and {SOLO, SOLO + ' more'} < set(whole), whole)
tap.check('log --command: a part, as of diff', runs_shown('--command', 'solo') == [SOLO, SOLO + ' more'] == runs_shown('--run', 'solo'),
          runs_shown('--command', 'solo'))
tap.check('log --command: the one that is just this', runs_shown('--command', SOLO) == [SOLO], runs_shown('--command', SOLO))
done = cli(REPO, 'log', '--history', 'total', '--command', 'nobody')
tap.check('log --command: none like it', done.status == 2 and 'nobody' in done.err, done)
text['postprocessors'] = [{'name': 'normalizer', 'params': {}}]
json.dump(text, open(os.path.join(REPO, 'shares.perf'), 'w'))
cli(REPO, 'add', '-m', NOW, 'shares.perf')
found = runs_shown('--command', 'solo')
tap.check('log --history: what was postprocessed is another line', found == [SOLO, SOLO + ' more', SOLO + ' more (time, time, normalizer)'], found)
tap.check('a commit without profiles', cli(repository(1), 'diff', 'HEAD', 'HEAD').status == 1)

# Saved into the store: pending with its origin, or registered at once where the settings want it.
SAMPLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', 'data', 'sample.perf')
REPO = repository(2)
OLD, NOW = head(REPO, 'HEAD~1'), head(REPO)


def save_pending(recorded, *more):
    """Saves the sample as if it was recorded at that commit; the pending profiles, and the result."""
    with open(SAMPLE) as file:
        document = json.load(file)
    document['collector_info']['params'].setdefault('recorder', {})['commit'] = recorded
    with open(os.path.join(REPO, 'sample.perf'), 'w') as file:
        json.dump(document, file)
    done = cli(REPO, 'save', 'sample.perf', '--pending', *more)
    return cli(REPO, 'status', '--format', 'json').json()['pending'], done


for i, (recorded, more, origin) in enumerate((('f' * 40, [], NOW), (OLD, [], OLD), (OLD, ['-m', 'HEAD'], NOW))):
    found, done = save_pending(recorded, *more)
    names = [row['name'] for row in found if done.out.strip().endswith('/' + row['name'])]
    tap.check(f'saved as pending, {i}', done.status == 0 and len(names) == 1 and len(found) == 1 and found[0]['origin'] == origin
              and found[0]['collector'] == 'wakepath', (done, found))
    done = cli(REPO, 'add', '-m', origin, *names)
    tap.check(f'and registered, {i}', done.status == 0, done)
with open(os.path.join(REPO, '.perun', 'local.yml'), 'a') as file:
    file.write('profiles:\n  register_after_run: true\n')
before = len(cli(REPO, 'status', '--format', 'json').json()['registered'])
found, done = save_pending(NOW)
tap.check('registered at once', done.status == 0 and not found and NOW[:8] in done.out
          and len(cli(REPO, 'status', '--format', 'json').json()['registered']) == before + 1, (done, found))
outside = cli(folder(), 'save', SAMPLE, '--pending')
tap.check('without a store nothing is saved', outside.status == 1 and 'init' in outside.err, outside)

# What a profile of another collector is.
for name in ('0@i', 'HEAD~1:0@i'):
    done = cli(ERA, 'info', name, '--format', 'json')
    found = json.loads(done.out)
    tap.check(f'info {name}', done.status == 0 and found['format'] == 'perun' and found['collector'] in ('time', 'memory', 'complexity')
              and found['type'] in ('time', 'memory', 'mixed') and found['resources'] > 0 and found['problems'] == [], done)
done = cli(ERA, 'info', '0@i')
tap.check('and as text', done.status == 0 and 'Collector: ' in done.out and 'Resources: ' in done.out and 'wakepath-cli view' in done.out, done)

tap.check('no copies are left', not leftovers(), leftovers())
sys.exit(tap.end())
