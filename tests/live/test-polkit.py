#!/usr/bin/python3
"""Recording as an ordinary user, whom polkit allows, refuses or cannot ask: the real pkexec, polkitd and system bus.

Installs the helpers, the actions and a rule where polkit looks for them, makes a user, and starts the system bus if there is
none; all of it is undone at the end, and what was there before is put back. Needs root, and says so. TAP.
usage: test-polkit.py CLI HELPER HELPER_TARGET POLICY WORKLOADS
"""
import json
import os
import pwd
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from processes import child_of
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'common'))
from spinners import Spinners
from tap import check, end

CLI, HELPER, TARGET, POLICY, WORKLOADS = map(os.path.abspath, sys.argv[1:6])
ACTION = 'org.wakepath.Wakepath.record'
MEMORY = f'{ACTION}-memory'
POLICY_TARGET = '/usr/share/polkit-1/actions/org.wakepath.Wakepath.policy'
RULE = '/etc/polkit-1/rules.d/00-wakepath-test.rules'
USER = 'wakepath-test'


class Installed:
    """Files in system folders for as long as the test runs."""

    def __init__(self):
        self.before = {}

    def put(self, target, mode, source=None, text=None):
        if target not in self.before:
            self.before[target] = None
            if os.path.exists(target):
                with open(target, 'rb') as file:
                    self.before[target] = (file.read(), os.stat(target).st_mode & 0o7777)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        if source is not None:
            with open(source, 'rb') as file:
                text = file.read()
        self.write(target, text if isinstance(text, bytes) else text.encode(), mode)

    @staticmethod
    def write(target, data, mode):
        with open(target + '.new', 'wb') as file:  # a program that runs cannot be written to, but replaced
            file.write(data)
        os.chmod(target + '.new', mode)
        os.chown(target + '.new', 0, 0)
        os.rename(target + '.new', target)

    def remove(self, target):
        if os.path.exists(target):
            os.unlink(target)

    def restore(self):
        for target, was in self.before.items():
            if was is None:
                self.remove(target)
            else:
                self.write(target, *was)


def bus(*arguments):
    return subprocess.run(['dbus-send', '--system', '--print-reply=literal', '--dest=org.freedesktop.DBus', '/',
                           *arguments], capture_output=True, text=True, timeout=30)


class Bus:
    """The system bus, started here unless it runs, with polkitd on it."""

    def __init__(self):
        self.pid = None

    @staticmethod
    def runs():
        return bus('org.freedesktop.DBus.GetId').returncode == 0

    def start(self):
        if not self.runs():
            os.makedirs('/run/dbus', exist_ok=True)
            if os.path.exists('/run/dbus/pid'):
                os.unlink('/run/dbus/pid')
            out = subprocess.run(['dbus-daemon', '--system', '--fork', '--print-pid'], check=True, capture_output=True, text=True)
            self.pid = int(out.stdout)
        result = bus('org.freedesktop.DBus.StartServiceByName', 'string:org.freedesktop.PolicyKit1', 'uint32:0')
        if result.returncode != 0:
            raise SystemExit(f'Bail out! polkitd does not start: {result.stderr}')

    def stop(self):
        if self.pid is None:
            return
        polkitd = bus('org.freedesktop.DBus.GetConnectionUnixProcessID', 'string:org.freedesktop.PolicyKit1').stdout.split()
        for pid in [int(word) for word in polkitd[1:2]] + [self.pid]:
            os.kill(pid, signal.SIGTERM)
        for path in ('/run/dbus/pid', '/run/dbus/system_bus_socket'):
            if os.path.exists(path):
                os.unlink(path)


def as_user(*command, **options):
    user = pwd.getpwnam(USER)
    return subprocess.Popen(command, user=user.pw_uid, group=user.pw_gid, extra_groups=[], stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True, start_new_session=True,
                            env={'PATH': '/usr/bin:/bin', 'HOME': user.pw_dir, 'USER': USER, 'LANG': 'C.UTF-8'},
                            **{'stdin': subprocess.DEVNULL, **options})


def what_hangs(session):
    """What each process of a session does, and where in the kernel."""
    rows = []
    for entry in filter(str.isdigit, os.listdir('/proc')):
        try:
            with open(f'/proc/{entry}/stat') as file:
                name, rest = file.read().rsplit(')', 1)
            if int(rest.split()[3]) != session:
                continue
            with open(f'/proc/{entry}/stack') as file:
                stack = [line.split()[1].split('+')[0] for line in file]
        except OSError:
            continue
        ticks = sum(map(int, rest.split()[11:13]))
        rows.append(f'{name}) {rest.split()[0]} {ticks / os.sysconf("SC_CLK_TCK")} s of CPU in {" < ".join(stack[:4]) or "no call"}')
    return ', '.join(rows)


def record(folder, name, *command, cwd=None, seconds=100, stacks='fp'):
    """wakepath-cli record as the user; (status, what it said, seconds it took). A hang is status None."""
    began = time.monotonic()
    process = as_user(f'{folder}/wakepath-cli', 'record', '--stacks', stacks, '-o', name, '--', *command, cwd=cwd or f'{folder}/home')
    try:
        out, said = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        hanging = what_hangs(process.pid)
        os.killpg(process.pid, signal.SIGKILL)
        out, said = process.communicate()
        return None, f'it hung: {hanging}; it had said {said!r}', time.monotonic() - began, out
    return process.returncode, said, time.monotonic() - began, out


def set_rule(installed, result, memory='same'):
    """What polkit answers for our actions and user; None: no rule, so somebody would have to be asked."""
    results = {ACTION: result, MEMORY: result if memory == 'same' else memory}
    lines = ''.join(f'  if (action.id == "{action}" && subject.user == "{USER}") return polkit.Result.{word};\n'
                    for action, word in results.items() if word is not None)
    if lines:
        installed.put(RULE, 0o644, text=f'polkit.addRule(function(action, subject) {{\n{lines}}});\n')
    else:
        installed.remove(RULE)
    for _ in range(600):
        if all(asked_polkit(action) == {'YES': 0, 'NO': 1, None: 2}[word] for action, word in results.items()):
            return
        time.sleep(0.1)
    raise SystemExit(f'Bail out! polkitd does not take up the rule {results}')


def asked_polkit(action):
    """What polkit says of a process of the user's: 0 yes, 1 no, 2 is “there is nobody to ask”."""
    probe = as_user('/bin/sleep', '20')
    status = subprocess.run(['pkcheck', '--action-id', action, '--process', str(probe.pid)], capture_output=True).returncode
    probe.kill()
    probe.communicate()
    return status


def leftovers(folder):
    return [name for name in os.listdir(folder) if name != 'full']


def start_recording(folder, name):
    """The cli as the user, with a command that it records by now, and its helper as child_of() has it."""
    cli = as_user(f'{folder}/wakepath-cli', 'record', '-o', name, '--', '/bin/sleep', '300', cwd=f'{folder}/home')
    for _ in range(600):
        if child_of(cli.pid, 'sleep') is not None:
            break
        time.sleep(0.1)
    return cli, child_of(cli.pid, 'wakepath-collec')


def test_allowed(folder):
    home = f'{folder}/home'
    status, said, _, out = record(folder, 'allowed.data', f'{folder}/pass', '50')
    check('allowed: records', status == 0 and '"workload":"pass"' in out, (status, said, out))
    check('… a file of the user’s', os.path.exists(f'{home}/allowed.data') and
          os.stat(f'{home}/allowed.data').st_uid == pwd.getpwnam(USER).pw_uid and leftovers(home) == ['allowed.data'],
          leftovers(home))
    text = subprocess.run(['perf', 'script', '-f', '-i', f'{home}/allowed.data', '-F', 'comm,pid,event', '-G'], capture_output=True,
                          text=True).stdout
    pids = {line.split()[1] for line in text.splitlines() if len(line.split()) >= 3}
    check('… of the whole system', str(os.getpid()) in pids or len(pids) > 3, len(pids))
    check('… and of the command from its beginning', 'sched:sched_process_exec' in text and
          any(line.split()[0] == 'pass' for line in text.splitlines() if line.strip()))
    os.unlink(f'{home}/allowed.data')


NAPPER = ('/usr/bin/python3', '-c', 'import time\nwhile True: time.sleep(0.02)')


def test_attached(folder):
    """To a process of the user's own, and to one of root's: both are explained."""
    for whose, process in ('his own', as_user(*NAPPER)), ('another user’s', subprocess.Popen(NAPPER)):
        path = f'{folder}/home/attached.data'
        with Spinners(WORKLOADS) as spinners:
            cli = as_user(f'{folder}/wakepath-cli', 'record', '--stacks', 'fp', '--attach', str(process.pid), '--duration', '1', '-o', path)
            _, said = cli.communicate(timeout=100)
        found = subprocess.run([CLI, 'report', path, '--format', 'json', *spinners.options], capture_output=True, text=True)
        report = json.loads(found.stdout or '{}')
        check(f'attached to a process of {whose}: recorded', cli.returncode == 0 and f'attached to {process.pid}: ' in said, said)
        shares = {row['id']: row['share_of_wall'] for row in report.get('categories', [])}
        check('… and explained', report.get('tids') == [process.pid] and shares['deliberate-sleep'] > 0.5, (found.stderr, shares))
        process.kill()
        process.communicate()
        os.unlink(path)


def test_privileges_and_killed_caller(folder):
    cli, found = start_recording(folder, 'killed.data')
    check('the helper runs', found is not None)
    pid, status = found
    check('… as the user, without capabilities', status['Uid'].split() == [str(pwd.getpwnam(USER).pw_uid)] * 4 and
          int(status['CapEff'], 16) == int(status['CapPrm'], 16) == int(status['CapBnd'], 16) == 0 and
          status['Seccomp'] == '2', status)
    spy = as_user('/bin/ls', f'/proc/{pid}/fd')
    spy.communicate()
    check('… whom its descriptors are closed to', spy.returncode != 0)
    handle = os.pidfd_open(pid)
    os.kill(cli.pid, signal.SIGKILL)
    gone = bool(select.select([handle], [], [], 60)[0])
    check('a killed caller ends it', gone)
    os.killpg(cli.pid, signal.SIGKILL)  # the recorded command
    cli.communicate()
    for name in leftovers(f'{folder}/home'):
        os.unlink(f'{folder}/home/{name}')


def test_unread():
    """Who starts it and does not read has a process of his own at hand, which he can end."""
    helper = as_user('/usr/bin/pkexec', '--disable-internal-agent', TARGET, stdin=subprocess.PIPE)
    for _ in range(600):
        with open(f'/proc/{helper.pid}/status') as file:
            status = dict(line.rstrip('\n').split(':\t', 1) for line in file if ':\t' in line)
        if helper.poll() is not None or status['Name'].startswith('wakepath-c') and int(status['CapPrm'], 16) == 0:
            break
        time.sleep(0.1)
    check('not read: the user’s, without capabilities', status['Uid'].split() == [str(pwd.getpwnam(USER).pw_uid)] * 4 and
          int(status['CapPrm'], 16) == 0 and status['Seccomp'] == '2', status)
    as_user('/bin/sh', '-c', f'kill -TERM {helper.pid}').communicate()
    gone = bool(select.select([os.pidfd_open(helper.pid)], [], [], 60)[0])
    check('… who can end it', gone)
    helper.kill()
    helper.wait()
    for stream in (helper.stdin, helper.stdout, helper.stderr):
        stream.close()


def test_interrupt(folder):
    cli, _ = start_recording(folder, 'interrupted.data')
    os.killpg(cli.pid, signal.SIGINT)  # Ctrl-C reaches the whole group
    out, said = cli.communicate(timeout=100)
    check('Ctrl-C ends it in order', cli.returncode == 0 and
          leftovers(f'{folder}/home') == ['interrupted.data'], (cli.returncode, said))
    os.unlink(f'{folder}/home/interrupted.data')


def test_full_disk(folder):
    mount = f'{folder}/home/full'
    os.mkdir(mount)
    subprocess.run(['mount', '-t', 'tmpfs', '-o', 'size=8m,mode=777', 'tmpfs', mount], check=True)
    try:
        status, said, seconds, _ = record(folder, f'{mount}/full.data', f'{folder}/pass', '40000', '1')
        ours = [line for line in said.splitlines() if line.startswith('wakepath-cli: ')]  # others tell what takes long
        check('a full disk: says so', status == 1 and len(ours) == 1 and 'No space left' in ours[0], (status, said))
        check('… and keeps what there is', os.path.exists(f'{mount}/full.data') and leftovers(mount) == ['full.data'],
              leftovers(mount))
    finally:
        subprocess.run(['umount', mount], check=True)
        os.rmdir(mount)


def test_message(folder, name, words, *command, stacks='fp'):
    status, said, seconds, _ = record(folder, 'refused.data', *(command or ('/bin/true',)), stacks=stacks)
    check(f'{name}: one clear line', status == 1 and words in said and said.count('\n') == 1 and
          said.startswith('wakepath-cli: '), (status, said))
    check('… soon, and nothing is left', seconds < 60 and leftovers(f'{folder}/home') == [],
          (seconds, leftovers(f'{folder}/home')))


# An authentication agent for one process, whose user dismisses whatever is asked.
AGENT = '''
import sys
from gi.repository import Gio, GLib
pid = int(sys.argv[1])
interface = """<node><interface name="org.freedesktop.PolicyKit1.AuthenticationAgent">
<method name="BeginAuthentication"><arg type="s" direction="in"/><arg type="s" direction="in"/><arg type="s" direction="in"/>
<arg type="a{ss}" direction="in"/><arg type="s" direction="in"/><arg type="a(sa{sv})" direction="in"/></method>
<method name="CancelAuthentication"><arg type="s" direction="in"/></method></interface></node>"""
def on_call(connection, sender, path, name, method, parameters, invocation):
    invocation.return_dbus_error("org.freedesktop.PolicyKit1.Error.Cancelled", "dismissed")
bus = Gio.bus_get_sync(Gio.BusType.SYSTEM)
bus.register_object("/wakepath/agent", Gio.DBusNodeInfo.new_for_xml(interface).interfaces[0], on_call, None, None)
with open(f"/proc/{pid}/stat") as file:
    start = int(file.read().rsplit(")", 1)[1].split()[19])
subject = ("unix-process", {"pid": GLib.Variant("u", pid), "start-time": GLib.Variant("t", start)})
bus.call_sync("org.freedesktop.PolicyKit1", "/org/freedesktop/PolicyKit1/Authority", "org.freedesktop.PolicyKit1.Authority",
              "RegisterAuthenticationAgent", GLib.Variant("((sa{sv})ss)", (subject, "C", "/wakepath/agent")), None, 0, -1)
print("ready", flush=True)
GLib.MainLoop().run()
'''


def test_dismissed(folder):
    """pkexec asks an agent of its parent process; so the agent is there before that process becomes the program."""
    with open(f'{folder}/agent.py', 'w') as file:
        file.write(AGENT)
    gate = f'{folder}/home/gate'
    cli = as_user('/bin/sh', '-c', f'until [ -e {gate} ]; do sleep .1; done; rm {gate}; '
                  f'exec {folder}/wakepath-cli record -o dismissed.data -- /bin/true', cwd=f'{folder}/home')
    agent = as_user('/usr/bin/python3', f'{folder}/agent.py', str(cli.pid))
    try:
        ready = agent.stdout.readline()
        check('an agent is there', ready == 'ready\n', ready or agent.stderr.read())
        with open(gate, 'w'):
            pass
        shutil.chown(gate, USER)
        out, said = cli.communicate(timeout=60)
        check('dismissed: one clear line', cli.returncode == 1 and 'dismissed' in said and said.count('\n') == 1, said)
        check('… and nothing is left', leftovers(f'{folder}/home') == [])
    finally:
        os.killpg(agent.pid, signal.SIGKILL)
        agent.communicate()


# An authentication agent that knows everybody's password: it is root, whose word polkit takes. It counts how often it is asked, and for what.
GRANTING = AGENT.replace('invocation.return_dbus_error("org.freedesktop.PolicyKit1.Error.Cancelled", "dismissed")', """answer(parameters, invocation)
def answer(parameters, invocation):
    action, cookie, identities = parameters[0], parameters[4], parameters[5]
    print(action, flush=True)
    connection = Gio.bus_get_sync(Gio.BusType.SYSTEM)
    identity = parameters.get_child_value(5).get_child_value(0)
    connection.call_sync("org.freedesktop.PolicyKit1", "/org/freedesktop/PolicyKit1/Authority", "org.freedesktop.PolicyKit1.Authority",
                         "AuthenticationAgentResponse2", GLib.Variant.new_tuple(GLib.Variant("u", 0), GLib.Variant("s", cookie), identity),
                         None, 0, -1)
    invocation.return_value(None)""")


def test_asked_once(folder, stacks, action, times=4):
    """As often as one process records, its user is asked once: for the action that it takes."""
    with open(f'{folder}/granting.py', 'w') as file:
        file.write(GRANTING)
    gate, home = f'{folder}/home/gate', f'{folder}/home'
    cli = as_user('/bin/sh', '-c', f'until [ -e {gate} ]; do sleep .1; done; rm {gate}; '
                  f'exec {folder}/wakepath-cli record --stacks {stacks} --repeat {times} -o kept.data -- /bin/true', cwd=home)
    agent = subprocess.Popen(['/usr/bin/python3', f'{folder}/granting.py', str(cli.pid)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                             text=True)
    try:
        ready = agent.stdout.readline()
        check('an agent that grants is there', ready == 'ready\n', ready or agent.stderr.read())
        with open(gate, 'w'):
            pass
        shutil.chown(gate, USER)
        out, said = cli.communicate(timeout=200)
    finally:
        agent.kill()
        asked = agent.communicate()[0].split()
    check(f'{times} recordings with {stacks} are made', cli.returncode == 0 and len(leftovers(home)) == times, (said, leftovers(home)))
    check(f'… and {action} is asked for once', asked == [action], asked)
    for name in leftovers(home):
        os.unlink(f'{home}/{name}')


def test_memory(folder, installed):
    """An administrator forbids copies of stacks, and nothing else."""
    set_rule(installed, 'YES', memory='NO')
    status, said, _, _ = record(folder, 'plain.data', '/bin/true')
    check('copies of stacks are refused, a recording is not', status == 0 and leftovers(f'{folder}/home') == ['plain.data'], said)
    os.unlink(f'{folder}/home/plain.data')
    test_message(folder, 'copies of stacks, refused', '--stacks fp', stacks='dwarf')
    forbidden = as_user('/usr/bin/pkexec', '--disable-internal-agent', TARGET, '--stacks=dwarf')
    out, said = forbidden.communicate(timeout=60)
    check('what is allowed does not copy them', forbidden.returncode == 2 and 'not an option: --stacks=dwarf' in said and out == '', said)
    set_rule(installed, 'NO', memory='YES')
    status, said, _, _ = record(folder, 'copies.data', '/bin/true', stacks='dwarf')
    check('and the other way round', status == 0 and leftovers(f'{folder}/home') == ['copies.data'], said)
    os.unlink(f'{folder}/home/copies.data')
    test_message(folder, 'a recording, refused', 'refused')


def prepare(folder, installed):
    installed.put(TARGET, 0o755, source=HELPER)
    installed.put(f'{TARGET}-memory', 0o755, source=f'{HELPER}-memory')
    installed.put(POLICY_TARGET, 0o644, source=POLICY)
    subprocess.run(['useradd', '-M', '-d', f'{folder}/home', '-s', '/bin/sh', USER], check=True)
    os.chmod(folder, 0o755)
    os.mkdir(f'{folder}/home')
    shutil.chown(f'{folder}/home', USER, USER)
    for program in (CLI, f'{WORKLOADS}/pass'):  # the build folder may be closed to others
        shutil.copy(program, folder)


def test_all(folder, installed, system_bus):
    if not system_bus.runs():
        test_message(folder, 'no system bus', 'polkit is not running')
    system_bus.start()
    set_rule(installed, 'YES')
    test_allowed(folder)
    test_attached(folder)
    test_privileges_and_killed_caller(folder)
    test_unread()
    test_interrupt(folder)
    test_full_disk(folder)
    test_message(folder, 'no such command', 'there is no program', 'no-such-command')
    test_memory(folder, installed)
    set_rule(installed, 'NO')
    test_message(folder, 'refused', 'refused')
    set_rule(installed, None)
    test_asked_once(folder, 'fp', ACTION)
    test_asked_once(folder, 'dwarf', MEMORY)
    test_message(folder, 'nobody to ask', 'no agent is there')
    test_dismissed(folder)
    installed.remove(TARGET)
    installed.remove(f'{TARGET}-memory')
    test_message(folder, 'no helper', 'not installed')


def main():
    if os.geteuid() != 0:
        raise SystemExit('Bail out! this test makes a user and polkit rules: run it as root')
    if not os.path.isdir('/sys/kernel/tracing/events/sched'):
        raise SystemExit('Bail out! tracefs is not mounted: mount -t tracefs tracefs /sys/kernel/tracing')
    installed, system_bus = Installed(), Bus()
    with tempfile.TemporaryDirectory(prefix='wakepath-polkit-') as folder:
        try:
            prepare(folder, installed)
            test_all(folder, installed, system_bus)
        finally:
            installed.restore()
            system_bus.stop()
            subprocess.run(['userdel', USER], capture_output=True)
    return end()


if __name__ == '__main__':
    sys.exit(main())
