"""A collector-helper, steered and listened to. A test that uses it has the helper's path as its first argument."""
import json
import os
import select
import subprocess
import sys
import time

HELPER = os.path.abspath(sys.argv[1])


class Helper:
    """A running helper; `messages` are what it has said so far. `before` runs in the child, before the helper does."""

    def __init__(self, output, *options, before=None, user=None, **more):
        program = f'{HELPER}-memory' if '--stacks=dwarf' in options else HELPER
        env = {**os.environ, **({'PKEXEC_UID': str(user)} if user is not None else {})}
        self.process = subprocess.Popen([program, *options], **{'stdin': subprocess.PIPE, 'stdout': output, 'stderr': subprocess.PIPE,
                                                                'preexec_fn': before, 'env': env, **more})
        self.messages = []
        self.rest = b''

    def read(self, seconds):
        """What standard error gives within so long; False at its end."""
        if not select.select([self.process.stderr], [], [], seconds)[0]:
            return True
        data = os.read(self.process.stderr.fileno(), 65536)
        *lines, self.rest = (self.rest + data).split(b'\n')
        self.messages += [json.loads(line) for line in lines if line.startswith(b'{')]
        return bool(data)

    def wait_for(self, kind, seconds=20):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            found = [m for m in self.messages if m['message'] == kind]
            if found:
                return found[-1]
            if not self.read(end - time.monotonic()):
                break
        found = [m for m in self.messages if m['message'] == kind]
        return found[-1] if found else None

    def say(self, text):
        self.process.stdin.write(text.encode() + b'\n')
        self.process.stdin.flush()

    def end(self, seconds=20):
        """Waits for its end and returns the exit status; None, and killed, when it takes longer."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline and self.read(deadline - time.monotonic()):
            pass
        try:
            return self.process.wait(max(0.1, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            return None

    def close_input(self):
        self.process.stdin.close()

    def status(self):
        return status_of(self.process.pid)


def status_of(pid):
    """/proc/PID/status as a dictionary; empty when it has ended."""
    try:
        with open(f'/proc/{pid}/status') as file:
            return dict(line.rstrip('\n').split(':\t', 1) for line in file if ':\t' in line)
    except OSError:
        return {}
