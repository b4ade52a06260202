#!/usr/bin/python3
"""The rows of Processes, by mouse and keyboard, on small recordings that are made here: how busy who was, who had the CPU, when that was.

usage: test-rows.py WAKEPATH SCREENSHOTS — under tests/xrun -w openbox or tests/wlrun. Prints TAP.
WAKEPATH: the program; SCREENSHOTS: a folder.
"""
import os
import re
import shutil
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from desktop import Expired, Program, act, description, everything, run_steps, screen, still, take_shot, text, until  # noqa: E402

wakepath, pictures = sys.argv[1:3]
os.makedirs(pictures, exist_ok=True)
work = tempfile.mkdtemp(prefix="wakepath-rows.")
program = None


class Recording:
    """Text of perf script, in µs since its start."""

    def __init__(self, processes=None):
        self.events, self.processes = [], processes or {}  # thread → its process, where it is not the first

    def add(self, us, cpu, who, tid, event, stack=()):
        head = f"{who:>16} {self.processes.get(tid, tid)}/{tid} [{cpu:03}] {1 + us / 1e6:.6f}: {event}\n"
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


def family():
    """sh becomes make, which has two threads; beside it another process. All of it on two CPUs."""
    recording = Recording({11: 10, 12: 10})
    recording.runs(0, 1000, 1, "daemon", 20)
    recording.switch(1000, 0, "swapper/0", 0, "R", "sh", 10)
    recording.add(2000, 0, "make", 10, "sched:sched_process_exec: filename=/usr/bin/make pid=10 old_pid=10")
    recording.switch(4000, 0, "make", 10, "S", "worker", 11, ["wait"])
    recording.switch(6000, 0, "worker", 11, "S", "helper", 12, ["wait"])
    recording.switch(7000, 0, "helper", 12, "S", "make", 10, ["wait"])
    recording.switch(8000, 0, "make", 10, "X", "swapper/0", 0)
    return recording.write("family.trace")


def shot(which):
    take_shot(program, pictures, which)


def start():
    global program
    program = Program([wakepath, busy()], "wakepath")


def open_recording(path):
    program.choose_file("Open Recording or Profile", path, lambda: program.key("ctrl+o"))


def strength(name):
    """How far the row of this name is from white, or from black where it is dark: 1 where it is in the full colour of what runs, on average."""
    x, _, width, _ = program.place(program.find("Processes", "panel"))
    _, y, _, height = program.place(program.find(re.escape(name), "push button"))
    row = screen.convert((x + width // 3, y + height - 6, width // 2, 1), "+repage", "-resize", "1x1!", "-depth", "8", "rgb:-")
    return max(row) - min(row)  # the ground is grey


# --- the steps, in order ---

def how_busy():
    """At full extent each pixel holds several runs of each task; who ran seldom is pale."""
    for name in "all (20)", "half (21)", "seldom (22)":
        program.find(re.escape(name), "push button")
    program.symbols_read()
    still()
    shot("busy")
    full, half, seldom = strength("all (20)"), strength("half (21)"), strength("seldom (22)")
    assert seldom < 0.5 * full and 1.3 * seldom < half < 0.9 * full, (full, half, seldom)


def who_had_the_cpu():
    """A ranked list in the details and on the row, and the same names as sub-rows of the table."""
    open_recording(rivals())
    program.find(r"A \(10\)", "push button")
    program.symbols_read()
    program.done_when(lambda: program.click(program.find("Show Sleeps", "push button")),
                      lambda: program.find("Show Sleeps", "push button").pressed, "sleeps to be shown", 20)
    until("who took the CPU, on the row", lambda: selected("Processes", "fz has the CPU"))
    program.find_text(r"^fz 61(\.0)? %, python3 22(\.0)? %, recorder 9(\.0+)? %$")
    shot("had-the-cpu")
    program.done_when(lambda: program.click(program.find(r"A \(10\)", "push button")), lambda: program.there("Explanation", "list"), "an explanation")
    until("its rows", program.table)

    def unfold():
        category = next(r for r in program.list_rows("Explanation") if r.name.startswith("Pushed off the CPU"))
        program.click(next(node for node in everything(category) if node.name == "Show details"))
    program.find_text("^A takes ")  # the sentences above come later, and the table moves down
    still()
    program.done_when(unfold, lambda: "python3" in program.table(), "its sub-rows", 8)
    table = program.table()
    assert (table["fz"][0], table["python3"][0], table["recorder"][0]) == ("6.10 ms", "2.20 ms", "900 µs"), table
    shot("had-the-cpu-table")


def selected(view, text):
    """Selects the first box with this name in a view that is seen, and says whether it is there. What is typed before the search has the keyboard
    would be keys of the picture."""
    def searching():
        return any(node.focused for node in everything(program.root) if node.role in ("text", "entry"))
    program.done_when(lambda: program.key("ctrl+f"), searching, "the search to have the keyboard", 3)
    program.key("ctrl+a")
    program.type(f"^{text}$")
    try:
        program.find_text(r"^\d+ (box(es)?|of \d+)", 6)
    except Expired:
        program.key("Escape")
        return False
    program.key("Return")
    try:
        program.find_text(r"^\d+ of \d+", 6)
    except Expired:  # a view that has just come has taken the keyboard meanwhile
        return False
    program.key("Escape")
    still()
    return description(program.last(view, "panel")).startswith(text + "\n")


def one_clock():
    """A moment reads the same in both views: since the recording's start, or since the process started."""
    def read(view, panel, box, moment):
        program.key("alt+1" if view == "Processes" else "alt+2")  # in one order with the keys that follow
        program.find(panel, "panel")
        program.done_when(lambda: selected(panel, box), lambda: program.says(moment), f"{moment} in {view}")
    read("Flame", "Flame View", "waits for a CPU", r"^7\.20* ms$")
    read("Processes", "Processes", "runnable", r"^7\.20* ms$")
    read("Processes", "Processes", "A", r"^7\.30* ms$")
    shot("one-clock")

    def choose(moment):
        def toggle():
            if not program.says(moment):
                act(program.open_submenu("View", "v", "Time Since the Process Started"))
        program.done_when(toggle, lambda: program.says(moment), f"{moment} in the details", 10, lambda: selected("Processes", "A"))
    choose("^100 µs$")  # it was forked at 7.2 ms
    shot("since-process")

    def timeline(picture):
        program.press("System")
        program.press("Timeline")
        program.find("Timeline", "panel")
        still()
        shot(picture)
        program.key("alt+1")
        program.find("Processes", "panel")
        still()
    timeline("system-since-process")
    choose(r"^7\.30* ms$")
    timeline("system-one-clock")


def threads_under_their_process():
    """They fold by the arrow, and by a key where one of its boxes is selected; the program before an exec is on the same row."""
    open_recording(family())
    program.find(r"make \(10\)", "push button")
    assert not program.there(r"sh \(10\)", "push button")
    until("the program before the exec", lambda: selected("Processes", "sh"))
    assert program.there(r"worker \(11\)", "push button") and program.there(r"helper \(12\)", "push button")
    shot("threads")
    program.done_when(lambda: program.click(program.find(r"Fold make \(10\)", "push button")),
                      lambda: program.there("make \\(10\\) · 3 threads", "push button"), "threads to be folded")
    until("no row of a thread", lambda: not program.there(r"worker \(11\)", "push button"))
    until("a thread on the row of its process", lambda: selected("Processes", "worker"))
    shot("threads-folded")
    program.key("t")
    program.find(r"worker \(11\)", "push button")


def pinned():
    """The pin beside a name puts it at the top, and back; so does a key. Undo takes pin, filter and order back."""
    def above():
        nodes = [program.there(name, "push button") for name in (r"daemon \(20\)", r"make \(10\)")]
        return all(nodes) and program.place(nodes[0])[1] < program.place(nodes[1])[1]
    program.choose("Order of the rows", 1, above)  # by name
    program.done_when(lambda: program.click(program.find(r"Pin make \(10\) to the top", "push button")), lambda: not above(), "make at the top")
    shot("pinned")
    program.find(r"Unpin make \(10\)", "push button")
    until("a box of it", lambda: selected("Processes", "sh"))
    program.key("p")
    until("the order by name", above)
    program.key("ctrl+z")
    until("the pin again", lambda: program.there(r"Unpin make \(10\)", "push button"))
    program.key("ctrl+z")
    until("no pin again", above)
    program.click(program.find("Filter tasks"))
    program.type("daemon")
    until("one process alone", lambda: not program.there(r"make \(10\)", "push button"))
    program.click(program.find("Processes", "panel"), at=(0.5, 0.95))  # in the entry the key would be the entry's
    program.key("ctrl+z")
    until("all processes", above)
    assert not any(text(node) == "daemon" for node in everything(program.find("Filter tasks")))
    program.key("ctrl+z")
    until("the order as it was first", lambda: program.says("^Related tasks together$"))


def by_cpu():
    """A row for each CPU says who ran there, and how much of the time anybody did."""
    program.done_when(lambda: program.click(program.find("By CPU", "push button")), lambda: program.there("CPU 0 · 87.5 % busy"), "rows of CPUs", 12)
    program.find("CPU 1 · 12.5 % busy")
    for name in "sh", "make", "worker", "daemon":
        until(f"a run of {name}", lambda: selected("Processes", name))
    shot("by-cpu")
    program.done_when(lambda: program.click(program.find("By CPU", "push button")), lambda: program.there(r"make \(10\)"), "rows of tasks", 20)


def close():
    def ended():
        return program.process.poll() is not None
    program.done_when(lambda: program.key("Escape", "ctrl+q"), ended, "the program to end")
    assert program.process.returncode == 0


steps = [how_busy, who_had_the_cpu, one_clock, threads_under_their_process, pinned, by_cpu, close]
failed = run_steps(steps, start, shot)
if program:
    program.end()
shutil.rmtree(work, ignore_errors=True)
sys.exit(failed)
