#!/usr/bin/python3
"""wakepath-cli record from start to end, as root: stacks of a program without frame pointers, what is left of the copies they were
made from, names of devices and files, and what remains when it goes wrong. Needs a mounted tracefs, and says so. TAP.
usage: test-record.py CLI HELPER WORKLOADS DEEP
"""
import fcntl
import json
import os
import re
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time

from processes import child_of
from stream import CALLCHAIN, REGS_USER, STACK_USER, Stream
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'common'))
from tap import check, end

CLI, HELPER, WORKLOADS, DEEP = map(os.path.abspath, sys.argv[1:5])
SECRET = 'the-secret-of-the-stack-5318008'
DEPTH = 20
LIMIT = '/proc/sys/kernel/perf_event_max_sample_rate'
THROTTLE = 5


def cli(command, *arguments):
    """What is recorded stays unpacked: these tests look at its bytes."""
    return subprocess.run([CLI, command, *(['--form', 'stream'] if command == 'record' else []), *arguments], capture_output=True, text=True, timeout=120)


def deep(ms):
    return [DEEP, ''.join(chr(ord(letter) + 1) for letter in SECRET), str(ms)]


def read(path):
    with open(path, 'rb') as file:
        return file.read()


def about(stream):
    """What the trailer says, all of its objects as one."""
    whole = {'devices': {}, 'files': {}}
    for body in stream.features.get(200, []):
        for key, value in json.loads(body.split(b'\0')[0]).items():
            if key == 'files':
                for device, files in value.items():
                    whole['files'].setdefault(device, {}).update(files)
            elif key == 'devices':
                whole['devices'].update(value)
            else:
                whole[key] = value
    return whole


class Allowance:
    """While it is entered, the kernel's limit for samples is ours; afterwards it is as before, even if this test is killed."""

    def __enter__(self):
        self.lock = open(LIMIT)
        fcntl.flock(self.lock, fcntl.LOCK_EX)
        self.usual = self.lock.read().strip()
        self.keeper = subprocess.Popen(['sh', '-c', f'read end; echo {self.usual} >{LIMIT}'], stdin=subprocess.PIPE,
                                       start_new_session=True)
        return self

    def set(self, rate):
        with open(LIMIT, 'w') as file:
            file.write(str(rate))

    def __exit__(self, *_):
        self.keeper.stdin.close()
        self.keeper.wait()
        self.lock.close()


def leftovers(folder):
    return sorted(os.listdir(folder))


def test_helper_copies(folder):
    """That the secret would be found: in what the helper writes, it stands."""
    path = f'{folder}/raw'
    with open(path, 'wb') as output:
        helper = subprocess.Popen([f'{HELPER}-memory', '--rate=1000'], stdin=subprocess.PIPE, stdout=output,
                                  stderr=subprocess.PIPE)
    helper.stderr.readline()
    subprocess.run(deep(100), check=True)
    helper.stdin.close()
    helper.stderr.read()
    helper.wait()
    check('the helper copies what stands on stacks', helper.returncode == 0 and SECRET.encode() in read(path))
    os.unlink(path)


def test_frames(folder):
    path = f'{folder}/deep.data'
    done = cli('record', '--stacks', 'dwarf', '-o', path, '--', *deep(300))
    check('records with copies of stacks', done.returncode == 0 and leftovers(folder) == ['deep.data'],
          (done, leftovers(folder)))
    data = read(path)
    size = f'{len(data) / 1e6:.1f} MB'
    check('the size told is that of the file', f', {size},' in done.stderr.replace('\N{NO-BREAK SPACE}', ' '), (size, done.stderr))
    stream = Stream(data)
    check('a whole stream', stream.whole and not stream.lost)
    check('no copies are left in it', SECRET.encode() not in data and
          not any(a['sample_type'] & (STACK_USER | REGS_USER) for a in stream.attrs), stream.attrs)
    check('… but stacks of user frames', any(a['sample_type'] & CALLCHAIN and a['user'] > 0 for a in stream.attrs), stream.attrs)
    check('… for the user alone', stat.S_IMODE(os.stat(path).st_mode) == 0o600, oct(os.stat(path).st_mode))
    check('it says how stacks were taken', about(stream)['stacks'] == 'dwarf', about(stream))
    folded = cli('flame', path, '--task', 'deep', '--format', 'folded').stdout.splitlines()
    sleeping = [line for line in folded if ';stay' in line and 'nanosleep' in line]
    running = [line for line in folded if line.rsplit(' ', 1)[0].endswith(';stay')]
    for what, lines in (('sleeps', sleeping), ('samples', running)):
        check(f'{what}: every call down to the entry of the program',
              lines and all(line.count(';descend') == DEPTH and ';main;descend;' in line and '_start;' in line for line in lines),
              '\n'.join(lines or folded[:20]))
    perf = subprocess.run(['perf', 'script', '-i', path, '--comm', 'deep', '--no-inline'], capture_output=True, text=True).stdout
    perf_report = subprocess.run(['perf', 'report', '-i', path, '--stdio', '--no-inline', '-g', 'none'], capture_output=True, text=True)
    check('perf report takes it', perf_report.returncode == 0 and ' deep ' in perf_report.stdout, perf_report.stderr)
    check('perf sees the same', any(block.count(' descend') == DEPTH and ' main' in block for block in perf.split('\n\n')),
          perf[:3000])


def test_report(folder):
    """Without a task: of the recorded command; where there was none, the tasks."""
    path = f'{folder}/reported'
    cli('record', '--stacks', 'none', '-o', path, '--', 'sh', '-c', 'sleep 0.1; true')
    done, named = cli('report', path), cli('report', path, '--task', 'sh')
    check('report: of the recorded command, and says how to see the others', done.returncode == 0 and named.stdout
          and done.stdout == f'{named.stdout}\nThe other tasks: wakepath-cli tasks {path}\n', (done.stdout[-300:], named.stdout[-300:]))
    check('report: as JSON of the same shape', cli('report', path, '--format', 'json').stdout
          == cli('report', path, '--task', 'sh', '--format', 'json').stdout)
    cli('record', '--stacks', 'none', '-o', path, '--duration', '0.1')
    done = cli('report', path)
    check('report: of no command, the tasks', done.returncode == 0 and done.stdout == cli('tasks', path, '--format', 'text').stdout, done.stdout[:300])
    os.unlink(path)


def test_cut(folder):
    """A program with more on its stack than is copied: so much is said, and what helps."""
    path = f'{folder}/cut.data'
    for size, whole in ((8192, False), (16384, True)):
        done = cli('record', '--stacks', 'dwarf', '--stack-bytes', str(size), '-o', path, '--', *deep(200), '10')
        processes = json.loads(cli('info', '--format', 'json', path).stdout)['stacks_by_process']
        counts = next(p for p in processes if p['name'] == 'deep')
        share = counts['stacks_whole'] / counts['stacks']
        check(f'10 KiB of a stack do {"" if whole else "not "}fit into copies of {size} bytes', done.returncode == 0 and
              (share > 0.9 if whole else share < 0.2), counts)
        if not whole:
            check('… which info says, and what to do', 'record with --stack-bytes' in cli('info', path).stdout)
    os.unlink(path)


def test_modes(folder):
    for mode in ('none', 'fp', 'auto'):
        path = f'{folder}/{mode}.data'
        done = cli('record', '--stacks', mode, '-o', path, '--', 'true')
        check(f'--stacks {mode}', done.returncode == 0 and os.path.exists(path), done)
        said = about(Stream(read(path)))['stacks']
        check('… is what was taken', said == mode or (mode == 'auto' and said in ('fp', 'dwarf')), said)
        os.unlink(path)
    for wrong in (['--stacks', 'lbr'], ['--stacks', 'dwarf', '--stack-bytes', '5000']):
        done = cli('record', *wrong, '-o', f'{folder}/wrong.data', '--', 'true')
        check(f"{' '.join(wrong)} is refused", done.returncode == 2 and leftovers(folder) == ['deep.data'], done)


POINTER = re.compile(rb'(?=(.{5}[\x80-\xff]\xff\xff))', re.DOTALL)
SOCKET = re.compile(r'\bsk(?:addr)?=(?:0x)?([0-9a-f]{16})\b')


def pointers(data):
    """All that looks like a kernel's address, at any place, as numbers and as text."""
    found = {int.from_bytes(match.group(1), 'little') for match in POINTER.finditer(data)}
    return found | {int(digits, 16) for digits in re.findall(rb'[89a-f][0-9a-f]{15}', data)}


def kernel_code():
    """Where the running kernel and its modules are, as ranges."""
    places, modules = {}, []
    with open('/proc/kallsyms') as lines:
        for address, _, name, *_ in map(str.split, lines):
            places.setdefault(name, int(address, 16))
    if os.path.exists('/proc/modules'):
        with open('/proc/modules') as lines:
            for _, size, *_, start in (line.split()[:6] for line in lines):
                modules.append((int(start, 16), int(start, 16) + int(size)))
    return places['_stext'], places['_etext'], modules


def in_code(found):
    """Of these the ones in the running kernel's code, but for where it would be without randomisation."""
    stext, etext, modules = kernel_code()
    usual = 0xffff800080010000 if os.uname().machine == 'aarch64' else 0xffffffff81000000
    code = {a for a in found if stext <= a < etext and not usual <= a < usual + etext - stext}
    return code | {a for a in found if any(start <= a < end for start, end in modules)}


def test_kernel_addresses(folder):
    """What the helper writes has them; a recording and a profile have not."""
    raw, path, profile = f'{folder}/raw', f'{folder}/recording.data', f'{folder}/saved.perf'
    with open(raw, 'wb') as output:
        helper = subprocess.Popen([HELPER, '--stacks=fp', '--rate=1000'], stdin=subprocess.PIPE, stdout=output, stderr=subprocess.PIPE)
    helper.stderr.readline()
    subprocess.run([f'{WORKLOADS}/echo'], check=True, capture_output=True)
    helper.stdin.close()
    helper.stderr.read()
    helper.wait()
    printed = subprocess.run(['perf', 'script', '-i', raw, '-F', 'event,trace'], capture_output=True, text=True).stdout
    blocks = {int(address, 16) >> 34 for address in SOCKET.findall(printed)}
    check('the helper tells where sockets are', blocks and any(a >> 34 in blocks for a in pointers(read(raw))), printed[:2000])
    os.unlink(raw)

    for stacks in ('fp', 'dwarf'):
        done = cli('record', '--stacks', stacks, '-o', path, '--', f'{WORKLOADS}/echo')
        found = pointers(read(path))
        data = [hex(a) for a in found if a >> 34 in blocks]
        check(f'{stacks}: no address of the kernel’s data is left', done.returncode == 0 and not data, (done, data[:10]))
        check('… and none of its code, but as without randomisation', not in_code(found), [hex(a) for a in in_code(found)][:10])
        perf = subprocess.run(['perf', 'script', '-i', path, '--no-inline'], capture_output=True, text=True).stdout
        check('… and perf names the kernel’s functions', ' __schedule\n' in perf and ' schedule\n' in perf, perf[:2000])
        done = cli('save', path, '-o', profile, '--task', 'echo')
        found = pointers(read(profile))
        check('… nor is there one in a saved profile', done.returncode == 0 and not in_code(found)
              and not any(a >> 34 in blocks for a in found), done)
        os.unlink(path)
        os.unlink(profile)


def test_replaced(folder):
    """Somebody installs another program in the place of one that runs: what is in that file now is not what ran."""
    path, mine, other = f'{folder}/replaced.data', f'{folder}/mine', f'{folder}/other'
    for name, program in ((mine, DEEP), (other, f'{WORKLOADS}/cpu')):
        shutil.copy(program, name)
    shown = {}
    for what, after in (('as it was', ''), ('replaced', f'mv "{other}" "{mine}";')):
        done = cli('record', '--stacks', 'dwarf', '-o', path, '--', 'sh', '-c', f'"{mine}" x 200; {after} exit 0')
        folded = cli('flame', path, '--task', 'mine', '--format', 'folded').stdout
        shown[what] = {name for line in folded.splitlines() for name in line.rsplit(' ', 1)[0].split(';')}
        check(f'records a program {what}', done.returncode == 0 and 'mine' in shown[what], (done, folded[:500]))
    known = shown['as it was']
    check('info says which program was replaced', f'  {mine}\n' in cli('info', path).stdout, cli('info', path).stdout)
    check('a program that was replaced has the names of no other', {'descend', 'main'} <= known
          and not {'descend', 'main', 'first', 'second', 'wl_burn'} & shown['replaced'], shown)
    os.unlink(path)
    os.unlink(mine)


BUSY = """static volatile unsigned long n;
__attribute__ ((noinline)) void FIRST (void) { for (unsigned long i = 0; i < COUNT; i++) n += i; }
__attribute__ ((noinline)) void SECOND (void) { for (unsigned long i = 0; i < COUNT; i++) n += i; }
int main (void) { FIRST (); SECOND (); return 0; }
"""


def busy(path, first, second):
    """A program that is busy in these two functions; built anew it is the same file with other contents. Names alone would not give it
    another build id."""
    count = 100000000 + 1000 * sum(first.encode())
    subprocess.run(['gcc', '-O1', '-fno-omit-frame-pointer', f'-DCOUNT={count}', f'-DFIRST={first}', f'-DSECOND={second}', '-x', 'c', '-', '-o', f'{path}.new'], input=BUSY, text=True,
                   check=True)
    shutil.copy(f'{path}.new', path)
    os.unlink(f'{path}.new')


def names_of(path, task):
    folded = cli('flame', path, '--task', task, '--format', 'folded').stdout
    return {name for line in folded.splitlines() for name in line.rsplit(' ', 1)[0].split(';')}


def test_rebuilt(folder):
    """The program is built anew and deleted after the recording, which keeps the names that it had."""
    path, mine = f'{folder}/rebuilt.data', f'{folder}/mine'
    busy(mine, 'first_old', 'second_old')
    done = cli('record', '-o', path, '--', mine)
    known = names_of(path, 'mine')
    check('records a program that is built anew later', done.returncode == 0 and {'first_old', 'second_old', 'main'} <= known,
          (done, known))
    ids = Stream(read(path)).build_ids
    said = subprocess.run(['readelf', '-n', mine], capture_output=True, text=True, check=True).stdout
    check('its build id is in the recording', ids.get(mine, 'none') in said, (ids.get(mine), said))
    busy(mine, 'second_new', 'first_new')
    shown = names_of(path, 'mine')
    check('it is shown as before when it has been built anew', shown == known, (shown, known))
    os.unlink(mine)
    shown = names_of(path, 'mine')
    check('… and when it was deleted', shown == known, (shown, known))
    os.unlink(path)


def test_other_space(folder):
    """A program of another mount namespace, where its path is another file than here. It has ended; another process there has not."""
    path, mine, there = f'{folder}/space.data', f'{folder}/mine', f'{folder}/there'
    os.mkdir(there)
    busy(f'{there}/mine', 'first_inside', 'second_inside')
    busy(mine, 'first_outside', 'second_outside')
    script = f'mount --bind "{there}/mine" "{mine}"; "{mine}"; sleep 1000 > /dev/null 2>&1 & echo $! > "{folder}/sleeper"'
    done = cli('record', '-o', path, '--', 'unshare', '-m', '--propagation', 'private', 'sh', '-c', script)
    shown = names_of(path, 'mine')
    check('a program of another mount namespace is recorded', done.returncode == 0 and 'mine' in shown, (done, shown))
    check('… and has no names of what has its path here', not any('outside' in name for name in shown), shown)
    check('… but its own', {'first_inside', 'second_inside', 'main'} <= shown, shown)
    with open(f'{folder}/sleeper', encoding='ascii') as file:
        os.kill(int(file.read()), signal.SIGKILL)
    for name in (path, mine, f'{there}/mine', f'{folder}/sleeper'):
        os.unlink(name)
    os.rmdir(there)


def test_throttled(folder):
    """The kernel allows a quarter of the samples that are asked for: first before the recording, which then takes fewer and says
    so; then in the midst of it, where what ran while samples were held back is not what ran before."""
    path, few = f'{folder}/throttled.data', 1000
    with Allowance() as allowance:
        allowance.set(few)
        done = cli('record', '--rate', '4000', '--stacks', 'fp', '-o', path, '--', f'{WORKLOADS}/cpu', '100')
        stream = Stream(read(path))
        check('fewer samples than asked for are told', done.returncode == 0 and 'more CPU samples' in done.stderr
              and 'not 4000' in done.stderr and 'more CPU samples' in about(stream)['missing'], done)
        check('… and so few that none are held back', not stream.types[THROTTLE], stream.types)
        allowance.set(allowance.usual)
        cli('record', '--rate', '4000', '--stacks', 'fp', '-o', path, '--', 'sh', '-c',
            f'echo {few} >{LIMIT}; exec {WORKLOADS}/cpu 400')
    held = Stream(read(path)).types[THROTTLE]
    report = json.loads(cli('report', '--task', 'cpu', '--format', 'json', path).stdout)
    ns = {row['id']: row['ns'] for row in report['categories']}
    counts = report['diagnostics']
    check('samples are held back, and counted', 10 < counts['throttled'] <= held and counts['samples_held_back'] > counts['throttled'],
          (held, counts))
    check('about three quarters of the time are not sampled', ns['understood'] < ns['not-sampled'] < 8 * ns['understood'], ns)
    check('… which a profile keeps', kept_categories(path, folder) == ns, (kept_categories(path, folder), ns))
    os.unlink(path)


def kept_categories(path, folder):
    saved = f'{folder}/throttled.perf'
    cli('save', '--task', 'cpu', path, '-o', saved)
    report = json.loads(cli('report', '--format', 'json', saved).stdout)
    os.unlink(saved)
    return {row['id']: row['ns'] for row in report['categories']}


def is_file(name, inode, began):
    """Whether that name has this number, or may have had it while that was recorded: others' files go, and new ones take their places."""
    try:
        now = os.lstat(name)
    except OSError:
        return True
    return now.st_ino == inode or now.st_ctime > began - 1


def disk_name(number):
    """What is a file says which: somebody else may use a loop device."""
    name = os.path.basename(os.readlink(f'/sys/dev/block/{number}'))
    try:
        with open(f'/sys/dev/block/{number}/loop/backing_file') as file:
            return f'{name} ({file.read().rstrip()})'
    except OSError:
        return name


def test_names(folder):
    """A file that is not in memory, read and written anew; one that is gone afterwards."""
    kept, gone, path = f'{folder}/kept file', f'{folder}/gone', f'{folder}/names.data'
    for name in (kept, gone):
        with open(name, 'wb') as file:
            file.write(os.urandom(1 << 20))
            os.fsync(file.fileno())
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
    found, lost = os.stat(kept), os.stat(gone).st_ino
    began = time.time()
    done = cli('record', '--stacks', 'none', '-o', path, '--', 'sh', '-c', f'cat "{kept}" "{gone}" >/dev/null; rm "{gone}"')
    whole = about(Stream(read(path)))
    device = f'{os.major(found.st_dev)}:{os.minor(found.st_dev)}'
    disks = {number: disk_name(number) for number in os.listdir('/sys/dev/block')}
    check('names of the devices', done.returncode == 0 and whole['devices'] == disks, (whole['devices'], disks))
    if device not in disks:
        check('this test is on a disk', False, f'{folder} is on device {device}: set TMPDIR to a folder on a disk')
        return
    files = whole['files'].get(device, {})
    check('name of a file that was read', files.get(str(found.st_ino)) == kept, files)
    named = files.get(str(lost), '')  # another's, which got the number
    check('none of one that is gone', not named.startswith(f'{folder}/'), named)
    wrong = {name: inode for inode, name in files.items() if not is_file(name, int(inode), began)}
    check('every name is right', not wrong, wrong)
    os.unlink(kept)
    os.unlink(path)


def start(path, *command):
    process = subprocess.Popen([CLI, 'record', '--form', 'stream', '--stacks', 'dwarf', '-o', path, '--', *command], stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE, text=True, start_new_session=True)
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline and not helper_of(process.pid):
        time.sleep(0.02)
    return process


def wait_for_command(process, name):
    """Until what is recorded runs: recording has begun then."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and not child_of(process.pid, name):
        time.sleep(0.02)


def helper_of(parent):
    """The helper that is a child of a process and records already, or None."""
    pid, status = child_of(parent, 'wakepath-collec') or (None, None)
    return pid if status is not None and status['Seccomp'] == '2' else None


def test_readers():
    """What several readers have read is one recording, as that of one: opened, explained, nothing lost."""
    with tempfile.TemporaryDirectory(prefix='wakepath-readers-') as folder:
        for program in (HELPER, f'{HELPER}-memory'):
            with open(f'{folder}/{os.path.basename(program)}', 'w') as file:
                file.write(f'#!/bin/sh\nexec "{program}" --readers=2 "$@"\n')
            os.chmod(file.name, 0o755)
        for name, helper in (('one', HELPER), ('two', f'{folder}/{os.path.basename(HELPER)}')):
            path = f'{folder}/{name}.data'
            done = subprocess.run([CLI, 'record', '-o', path, f'{WORKLOADS}/pass', '200', '20'], capture_output=True, text=True,
                                  timeout=120, env={**os.environ, 'WAKEPATH_COLLECTOR': helper})
            info = json.loads(cli('info', path, '--format', 'json').stdout)
            counts = {event['name']: event['count'] for event in info['events']}
            check(f'{name}: recorded, nothing lost', done.returncode == 0 and info['lost'] == 0, done)
            check('… with all kinds of events', {'sched:sched_switch', 'sched:sched_waking', 'sched:sched_process_exit'} <= set(counts) and
                  counts['sched:sched_switch'] >= 400, counts)
            answer = cli('report', path).stdout
            check('… and explained', re.match('pass took .* 2 processes', answer) is not None and 'pass-partner' in answer, answer)


def test_status(folder):
    """The command's end is ours, too: a script that records goes on as it would without."""
    path = f'{folder}/status.data'
    for name, command, expected in (('that fails', 'exit 7', 7), ('that is killed', 'kill -TERM $$', 143), ('that goes well', 'true', 0)):
        done = cli('record', '--stacks', 'none', '-o', path, '--', 'sh', '-c', command)
        check(f'a command {name}: its status', done.returncode == expected and os.path.exists(path), done)
        os.unlink(path)
    done = cli('record', '--stacks', 'none', '--duration', '0.2', '-o', path, '--', 'sleep', '0.5')
    check('a recording that was to be shorter than its command went well', done.returncode == 0, done)
    os.unlink(path)


def test_size(folder):
    """A recording that has become as large as it may ends in order, and says so wherever it is looked at."""
    path, said = f'{folder}/size.data', 'the end: the recording ended when it had become 15 MB large'
    with subprocess.Popen([f'{WORKLOADS}/pass', '2000000', '1'], stdout=subprocess.DEVNULL, start_new_session=True) as workload:
        done = cli('record', '--stacks', 'none', '--size', '15', '--duration', '60', '-o', path)
        os.killpg(workload.pid, signal.SIGKILL)  # with its partner
    check('a recording that has become large ends', done.returncode == 0 and said in done.stderr, done)
    check('… and says so when it is looked at', said in cli('info', path).stdout and said in about(Stream(read(path)))['missing'])
    refused = cli('record', '--size', '65537', '-o', f'{folder}/refused.data', 'true')
    check('… and never becomes larger than the helper lets it', refused.returncode == 2 and '65536' in refused.stderr, refused)
    os.unlink(path)


def test_broken_off(folder):
    path = f'{folder}/broken.data'
    process = start(path, *deep(3000))
    wait_for_command(process, 'deep')
    time.sleep(0.3)
    os.kill(helper_of(process.pid), signal.SIGKILL)
    said = process.communicate(timeout=60)[1]
    check('a helper that is killed: says so, and what there is is kept', process.returncode == 1 and 'broke off' in said and
          path in said, said)
    data = read(path)
    check('… without copies of stacks', SECRET.encode() not in data and Stream(data).whole and
          leftovers(folder) == ['broken.data', 'deep.data'], leftovers(folder))
    os.unlink(path)


def test_stopped_helper(folder):
    """What ends a whole group of processes (`timeout 10 wakepath-cli record …`) reaches the helper as soon as us: it stops as it is told."""
    path = f'{folder}/stopped.data'
    process = start(path, 'sleep', '600')
    wait_for_command(process, 'sleep')
    time.sleep(0.3)
    os.kill(helper_of(process.pid), signal.SIGTERM)
    status = process.wait(120)
    os.killpg(process.pid, signal.SIGKILL)  # the recorded command, which goes on by itself
    said = process.communicate(timeout=60)[1]
    check('a helper that is stopped by others: kept, and how long it was is told', status == 0 and
          'stopped.data: ' in said and ': 0 ns,' not in said, said)
    os.unlink(path)


def nameless(process, folder):
    """How many files without a name in this folder a process has open."""
    found = set()
    for fd in os.listdir(f'/proc/{process.pid}/fd'):
        try:
            link = os.readlink(f'/proc/{process.pid}/fd/{fd}')
        except OSError:
            continue  # closed meanwhile
        if link.startswith(f'{folder}/') and link.endswith(' (deleted)'):
            found.add(link)
    return len(found)


def wait_for_frames(process, folder):
    """Until there are both what was recorded and what it becomes."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and nameless(process, folder) < 2:
        time.sleep(0.001)


def test_interrupted_late(folder):
    """The Ctrl-C that ended the command reaches us when that has been noticed: the recording is kept."""
    path = f'{folder}/late.data'
    process = start(path, f'{WORKLOADS}/pass', '3000', '1')
    wait_for_frames(process, folder)
    process.send_signal(signal.SIGINT)
    said = process.communicate(timeout=120)[1]
    check('a first interrupt while finishing: kept', process.returncode == 0 and 'nothing was kept' not in said and
          leftovers(folder) == ['deep.data', 'late.data'], (process.returncode, said, leftovers(folder)))
    os.unlink(path)


def test_given_up(folder):
    """A second interrupt, while stacks become frames, drops all."""
    path = f'{folder}/given-up.data'
    process = start(path, f'{WORKLOADS}/pass', '60000', '1')
    time.sleep(2)
    process.send_signal(signal.SIGINT)
    wait_for_frames(process, folder)
    began = time.monotonic()
    process.send_signal(signal.SIGINT)
    status, took = process.wait(60), time.monotonic() - began
    os.killpg(process.pid, signal.SIGKILL)  # the recorded command, which goes on by itself
    said = process.communicate(timeout=60)[1]
    check('given up while finishing: says so at once', status == 1 and 'nothing was kept' in said and took < 2, (said, took))
    check('… and nothing is left', leftovers(folder) == ['deep.data'], leftovers(folder))


def lives(pid):
    try:
        return 'State:\tZ' not in read(f'/proc/{pid}/status').decode()
    except FileNotFoundError:
        return False


def test_killed(folder):
    """Whenever it is killed: nothing is left."""
    for late in (False, True):
        process = start(f'{folder}/killed.data', f'{WORKLOADS}/pass', '60000', '1')
        time.sleep(1)
        helper = helper_of(process.pid)
        if late:
            process.send_signal(signal.SIGINT)
            wait_for_frames(process, folder)
        kept = nameless(process, folder)
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate(timeout=60)
        check(f'killed while {"finishing" if late else "recording"}: nothing is left',
              kept == 1 + late and leftovers(folder) == ['deep.data'], (kept, leftovers(folder)))
        deadline = time.monotonic() + 60
        while lives(helper) and time.monotonic() < deadline:
            time.sleep(0.01)
        check('… nor is the helper', not lives(helper))


def test_no_room(folder):
    """Where the frames find no room, the copies are kept, and nobody else may read them."""
    mount = f'{folder}/small'
    os.mkdir(mount)
    subprocess.run(['mount', '-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', mount], check=True)
    try:
        path = f'{mount}/kept.data'
        fill = f'{WORKLOADS}/cpu 200 >/dev/null; sleep 1; head -c 60m /dev/zero > {mount}/filler'
        done = cli('record', '--stacks', 'dwarf', '-o', path, '--', 'sh', '-c', fill)
        check('no room: says so and what was kept', done.returncode == 1 and 'No space left' in done.stderr and path in done.stderr
              and 'parts of the memory' in done.stderr, done.stderr)
        check('… for the user alone', stat.S_IMODE(os.stat(path).st_mode) == 0o600 and leftovers(mount) == ['filler', 'kept.data'],
              leftovers(mount))
    finally:
        subprocess.run(['umount', mount], check=True)
        os.rmdir(mount)


def test_arguments(folder):
    """Processes of one name are told apart by what they were started with, also those that are over."""
    path = f'{folder}/arguments.data'
    done = cli('record', '-o', path, '--', 'sh', '-c', 'sleep 0.41 & sleep 0.42 & wait')
    tasks = json.loads(cli('tasks', path, '--format', 'json').stdout)['tasks'] if done.returncode == 0 else []
    found = {task.get('arguments') for task in tasks if task['name'] == 'sleep'}
    check('the arguments of processes are known', {'sleep 0.41', 'sleep 0.42'} <= found, (done, found))
    os.unlink(path)


def main():
    if os.geteuid() != 0:
        raise SystemExit('Bail out! this test records the whole system: run it as root')
    if not os.path.isdir('/sys/kernel/tracing/events/sched'):
        raise SystemExit('Bail out! tracefs is not mounted: mount -t tracefs tracefs /sys/kernel/tracing')
    os.umask(0o022)
    with tempfile.TemporaryDirectory(prefix='wakepath-record-', dir=os.environ.get('WP_TEST_TMP')) as folder:
        test_helper_copies(folder)
        test_frames(folder)
        test_report(folder)
        test_cut(folder)
        test_modes(folder)
        test_kernel_addresses(folder)
        test_replaced(folder)
        test_rebuilt(folder)
        test_other_space(folder)
        test_throttled(folder)
        test_names(folder)
        test_arguments(folder)
        test_readers()
        test_status(folder)
        test_size(folder)
        test_broken_off(folder)
        test_stopped_helper(folder)
        test_interrupted_late(folder)
        test_given_up(folder)
        test_killed(folder)
        test_no_room(folder)
    return end()


if __name__ == '__main__':
    sys.exit(main())
