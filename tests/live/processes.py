"""What runs, as /proc tells it."""
import os


def child_of(parent, name):
    """(pid, status) of a process' child whose name begins so; None: there is none."""
    for entry in filter(str.isdigit, os.listdir('/proc')):
        try:
            with open(f'/proc/{entry}/status') as file:
                status = dict(line.rstrip('\n').split(':\t', 1) for line in file if ':\t' in line)
        except OSError:
            continue
        if status['PPid'].strip() == str(parent) and status['Name'].startswith(name):
            return int(entry), status
    return None
