#!/usr/bin/python3
"""The rows of Processes, by mouse and keyboard, on small recordings that are made here: how busy who was, who had the CPU, when that was.

usage: test-rows.py WAKEPATH SCREENSHOTS — under tests/xrun -w openbox. Prints TAP.
WAKEPATH: the program; SCREENSHOTS: a folder.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from desktop import Program, act, description, run_steps, still, take_shot, until  # noqa: E402

wakepath, pictures = sys.argv[1:3]
os.makedirs(pictures, exist_ok=True)
work = tempfile.mkdtemp(prefix="wakepath-rows.")
program = None


class Recording:
    """Text of perf script, in µs since its start."""

    def __init__(self):
        self.events = []

    def add(self, us, cpu, who, tid, event, stack=()):
        head = f"{who:>16} {tid}/{tid} [{cpu:03}] {1 + us / 1e6:.6f}: {event}\n"
        self.events.append((us, head + "".join(f"\t{0x401000 + 256 * i:16x} {f} (/usr/bin/{who})\n" for i, f in enumerate(stack)) + "\n"))

    def switch(self, us, cpu, who, tid, state, to, to_tid, stack=()):
        self.add(us, cpu, who, tid, f"sched:sched_switch: prev_comm={who} prev_pid={tid} prev_prio=120 prev_state={state} ==> "
                                    f"next_comm={to} next_pid={to_tid} next_prio=120", stack)

    def wake(self, us, cpu, who, tid, whom, whom_tid):
        self.add(us, cpu, who, tid, f"sched:sched_waking: comm={whom} pid={whom_tid} prio=120 target_cpu={cpu:03}")

    def runs(self, start, end, cpu, name, tid, idle="swapper/0"):
        self.switch(start, cpu, idle, 0, "R", name, tid)
        self.switch(end, cpu, name, tid, "S", idle, 0, ["read"])

    def write(self, name):
        path = os.path.join(work, name)
        with open(path, "w") as file:
            file.writelines(text for _, text in sorted(self.events, key=lambda event: event[0]))
        return path


def busy():
    """For two seconds: one that runs all the time, one for half of it, one for 3.5 %."""
    recording = Recording()
    for i in range(1000):
        recording.runs(2000 * i, 2000 * i + 1999, 0, "all", 20)
        recording.runs(2000 * i, 2000 * i + 1000, 1, "half", 21)
        recording.runs(2000 * i, 2000 * i + 70, 2, "seldom", 22)
    return recording.write("busy.trace")


def rivals():
    """From 7.3 ms on A works, then others have its CPU for 10 ms."""
    recording = Recording()
    recording.runs(0, 500, 0, "early", 9)
    recording.switch(7000, 1, "swapper/1", 0, "R", "early", 9)
    recording.add(7200, 1, "early", 9, "sched:sched_process_fork: comm=early pid=9 child_comm=A child_pid=10")
    recording.switch(7250, 1, "early", 9, "S", "swapper/1", 0, ["wait4"])
    recording.switch(7300, 0, "swapper/0", 0, "R", "A", 10)
    recording.switch(8300, 0, "A", 10, "R", "fz", 11)
    recording.switch(14400, 0, "fz", 11, "S", "python3", 12, ["read"])
    recording.switch(16600, 0, "python3", 12, "S", "recorder", 13, ["poll"])
    recording.switch(17500, 0, "recorder", 13, "S", "swapper/0", 0, ["poll"])
    recording.switch(18300, 0, "swapper/0", 0, "R", "A", 10)
    recording.switch(20300, 0, "A", 10, "X", "swapper/0", 0)
    return recording.write("rivals.trace")


def shot(which):
    take_shot(program, pictures, which)


def start():
    global program
    program = Program([wakepath, busy()], "wakepath")


def open_recording(path):
    program.choose_file("Open Recording or Profile", path, lambda: program.key("ctrl+o"))


def strength(name):
    """How far the row of this name is from white, or from black where it is dark: 1 where it is in the full colour of what runs, on average."""
    path = os.path.join(work, "screen.png")
    x, _, width, _ = program.place(program.find("Processes", "panel"))
    _, y, _, height = program.place(program.find(re.escape(name), "push button"))
    program.screenshot(path)
    row = subprocess.run(["convert", path, "-crop", f"{width // 2}x1+{x + width // 3}+{y + height - 6}", "+repage", "-resize", "1x1!", "-depth", "8",
                          "rgb:-"], check=True, capture_output=True).stdout
    return max(row) - min(row)  # the ground is grey


# --- the steps, in order ---

def how_busy():
    """At full extent each pixel holds several runs of each task; who ran seldom is pale."""
    for name in "all (20)", "half (21)", "seldom (22)":
        program.find(re.escape(name), "push button")
    still()
    shot("busy")
    full, half, seldom = strength("all (20)"), strength("half (21)"), strength("seldom (22)")
    assert seldom < 0.5 * full and 1.3 * seldom < half < 0.9 * full, (full, half, seldom)


def who_had_the_cpu():
    """A ranked list in the details and on the row, and the same names as sub-rows of the table."""
    open_recording(rivals())
    program.find(r"A \(10\)", "push button")
    program.done_when(lambda: program.click(program.find("Show Sleeps", "push button")),
                      lambda: program.find("Show Sleeps", "push button").pressed, "sleeps to be shown")
    until("who took the CPU, on the row", lambda: selected("Processes", "fz has the CPU"))
    program.find_text(r"^fz 61(\.0)? %, python3 22(\.0)? %, recorder 9(\.0+)? %$")
    shot("had-the-cpu")
    program.done_when(lambda: program.click(program.find(r"A \(10\)", "push button")), lambda: program.there("Explanation", "list"), "an explanation")
    until("its rows", program.table)
    category = next(r for r in program.list_rows("Explanation") if r.name.startswith("Pushed off the CPU"))
    program.click(category, at=(0.4, 0.4))
    program.done_when(lambda: program.key("Right"), lambda: "python3" in program.table(), "its sub-rows")
    table = program.table()
    assert (table["fz"][0], table["python3"][0], table["recorder"][0]) == ("6.10 ms", "2.20 ms", "900 µs"), table
    shot("had-the-cpu-table")


def selected(view, text):
    """Selects what is searched for, and says whether it is that."""
    program.key("ctrl+f", "ctrl+a")
    program.type(f"^{text}$")
    program.key("Return")
    still()
    program.key("Escape")
    return description(program.last(view, "panel")).startswith(text + "\n")


def one_clock():
    """A moment reads the same in both views: since the recording's start, or since the process started."""
    def read(view, panel, box, moment):
        program.press(view)
        program.done_when(lambda: selected(panel, box), lambda: program.says(moment), f"{moment} in {view}")
    read("Flame", "Flame View", "waits for a CPU", r"^7\.20* ms$")
    read("Processes", "Processes", "runnable", r"^7\.20* ms$")
    read("Processes", "Processes", "A", r"^7\.30* ms$")
    shot("one-clock")

    def choose(moment):
        def toggle():
            act(program.open_submenu("View", "v", "Time Since the Process Started"))
        program.done_when(toggle, lambda: program.says(moment), f"{moment} in the details", 5, lambda: program.key("Escape", "Escape"))
    choose("^100 µs$")  # it was forked at 7.2 ms
    shot("since-process")
    choose(r"^7\.30* ms$")


def close():
    def ended():
        return program.process.poll() is not None
    program.done_when(lambda: program.key("Escape", "ctrl+q"), ended, "the program to end")
    assert program.process.returncode == 0


steps = [how_busy, who_had_the_cpu, one_clock, close]
failed = run_steps(steps, start, shot)
if program:
    program.end()
shutil.rmtree(work, ignore_errors=True)
sys.exit(failed)
