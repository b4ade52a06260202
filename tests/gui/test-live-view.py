#!/usr/bin/python3
"""The live view: what is recorded is seen while it is recorded, in the real window. Records for real, as root.

usage: test-live-view.py WAKEPATH SCREENSHOTS PHASES — under tests/xrun -w openbox. Prints TAP.
WAKEPATH: the program; PHASES: the workload that does something else every two seconds; SCREENSHOTS: a folder.
"""
import os
import re
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from desktop import Program, everything, name, run_steps, still, take_shot, until  # noqa: E402

wakepath, pictures, phases = sys.argv[1:4]
os.makedirs(pictures, exist_ok=True)
work = tempfile.mkdtemp(prefix="wakepath-live.")
said, go = os.path.join(work, "phases"), os.path.join(work, "go")
PHASE_S, PHASES, ROUNDS = 2, 5, 12
SEEN_WITHIN_S = 1.5
program = None
dialog = None


def shot(which):
    take_shot(program, pictures, which)


def start():
    global program
    program = Program([wakepath], "wakepath")


def processor_seconds(pid):
    with open(f"/proc/{pid}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def helper():
    """The helper that this program has started."""
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/stat") as file:
                head, rest = file.read().rsplit(")", 1)
        except OSError:
            continue
        if "wakepath-collec" in head and rest.split()[1] == str(program.process.pid):
            return int(pid)
    return None


def by_frame_pointers():
    """So that little is written."""
    program.click(program.find("Stacks", "label"), dialog)
    still()
    program.key("Home", "Down", "Return")


def record():
    global dialog
    program.done_when(lambda: program.key("ctrl+r"), lambda: program.has_top_level("Record"), "the dialog")
    dialog = program.top_level("Record")
    program.key("ctrl+a")
    program.type(f"{phases} {said} {go} {PHASE_S * 1000} {ROUNDS}")
    program.done_when(by_frame_pointers, lambda: program.says("Nothing that memory or files contain is recorded."), "frame pointers", 10)
    program.press("Start Recording")
    program.find("Stop", "push button")
    until("the first look", lambda: program.says(r"Live view: [\d.]+ % of a core"), 90)


def told():
    """The share of a core that the view says it takes, and how often it says that it looks, in seconds."""
    found = program.says(r"Live view: ([\d.]+) % of a core, every (second|([\d.]+) seconds)")
    return (float(found[1]), float(found[3] or 1)) if found else (0, 1)


def totals():
    """For each phase the label that says what it took in all."""
    labels = [node for node in everything(program.root) if node.role == "label" and node.name]
    return {node.name: labels[i + 3] for i, node in enumerate(labels[:-3]) if re.fullmatch(r"phase_\w+", node.name)}


def next_phase(after):
    """The next one that begins: its number, name and moment."""
    def ask():
        with open(said) as file:
            lines = [line.split() for line in file]
        return len(lines) > after and len(lines[-1]) == 2 and (len(lines), lines[-1][0], int(lines[-1][1]) / 1e9)
    return until("the next phase", ask)


def see_each_phase():
    """Its function takes time in the table 1.5 s after it has begun at the latest, and rows stay where they are. The first round is for finding out
    what a look takes."""
    program.done_when(lambda: program.click(program.find("Functions", "page tab"), dialog), lambda: program.there("Running", "label"),
                      "the table of functions", 15)
    program.click(program.find("Filter rows"), dialog)
    program.type("phase_")  # new rows come last: without a filter they are out of sight
    shot("live-waits")
    open(go, "w").close()
    number, labels, took = PHASES, {}, {}
    while len(labels) < PHASES:
        number = next_phase(number)[0]
        labels = totals()
    last = number + 2 * PHASES
    while number < last:
        number, phase, since = next_phase(number)
        while name(labels[phase]) == "0" and time.monotonic() < since + PHASE_S:  # one question of one label: whoever asks is recorded, too
            time.sleep(0.1)
        took.setdefault(phase, []).append(time.monotonic() - since)
    share, interval = told()
    print("#", ", ".join(f"{phase} after " + ", ".join(f"{s:.2f}" for s in times) for phase, times in took.items()),
          f"s; told: {share} % of a core, every {interval:g} s", flush=True)
    now = totals()
    assert list(now) == list(labels), f"rows moved: {list(labels)}, {list(now)}"
    assert len(took) == PHASES and max(max(times) for times in took.values()) < SEEN_WITHIN_S, "not seen in time"


def cost():
    """Window and helper, while nobody asks the window for anything."""
    pids = {"window": program.process.pid, "helper": helper()}
    before, since = {of: processor_seconds(pid) for of, pid in pids.items() if pid}, time.monotonic()
    lines = len(open(said).readlines())
    until("three phases more", lambda: len(open(said).readlines()) >= lines + 3)
    passed = time.monotonic() - since
    shares = {of: (processor_seconds(pids[of]) - before[of]) / passed for of in before}
    share, interval = told()
    print("#", ", ".join(f"{of} {100 * part:.1f} % of a core" for of, part in shares.items()),
          f"· told: {share} %, every {interval:g} s", flush=True)
    assert share <= 5.0, share
    assert shares["window"] < 0.25, "the window takes much more than it may"


def look():
    shot("live-functions")
    for page in ("Explanation", "Consolidated"):
        program.click(program.find(page, "page tab"), dialog)
        until(f"{page} to be there", lambda: program.there(page, "panel") or program.there(page, "list"))
        shot(f"live-{page.lower()}")


def stop():
    program.press("Stop")
    program.find("Flame View", "panel", 90)
    shot("stopped")


def end():
    program.end()


sys.exit(run_steps([record, see_each_phase, cost, look, stop, end], start, shot))
