#!/usr/bin/python3
"""Two profiles compared in the window: tables, frames with their filter, flame views that follow each other, warnings, a picture; the same of stacks.

usage: test-comparing.py WAKEPATH SCREENSHOTS HEAP — under tests/xrun -w openbox. Prints TAP.
WAKEPATH: the program; SCREENSHOTS: a folder; HEAP: a heap profile of pprof's. What is compared and checked is tested without a display (tests/unit/test-workspace-compare.c).
"""
import json
import os
import re
import shutil
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from desktop import Program, description, run_steps, take_shot, until  # noqa: E402

wakepath, pictures, heap = sys.argv[1:4]
os.makedirs(pictures, exist_ok=True)
work = tempfile.mkdtemp(prefix="wakepath-comparing.")
before, after = os.path.join(work, "before.perf"), os.path.join(work, "after.perf")
stacks_before, stacks_after = os.path.join(work, "before.folded"), os.path.join(work, "after.folded")
program = None


def profile(path, host, amounts):
    """A profile as Perun writes it: an amount for each stack, innermost frame first."""
    resources = [{"type": "time", "subtype": "run", "amount": amount, "uid": stack.split(";")[-1],
                  "trace": [{"function": f, "source": "/src/work.c", "line": 1} for f in reversed(stack.split(";"))]}
                 for stack, amount in amounts.items()]
    with open(path, "w") as f:
        json.dump({"header": {"type": "time", "cmd": host, "args": "", "workload": "", "units": {"time": "ms"}},
                   "collector_info": {"name": "hand", "params": {}}, "global": {"resources": resources}}, f)


def shot(which):
    if program:
        take_shot(program, pictures, which)


def start():
    global program
    profile(before, "./work", {"main;parse": 40, "main;sort;swap": 30, "main;sort;legacy": 20, "main;write": 10})
    profile(after, "./work --new", {"main;parse": 41, "main;sort;swap": 60, "main;cache": 15, "main;write": 4})
    program = Program([wakepath, after], "wakepath")


def choose():
    program.find("Flame Graph")
    program.key("F10")
    program.find("Compare With…")
    program.key("c")
    program.choose_file("Compare With", before)
    program.find_text(r"Total \+20.0 %")
    shot("explanation")


def warned():
    program.find_text(r"The commands differ: A ran \./work, B ran \./work --new")


def frames():
    program.click(program.find("Frames"))
    program.find("legacy", "label")
    program.find("cache", "label")
    shot("frames")
    program.click(program.find("Which frames"))
    program.key("Down", "Return")
    until("only new ones", lambda: program.there("cache", "label") and not program.there("parse", "label"))


def checks():
    program.click(program.find("Checks"))
    program.find_text(r"^1 degradation · .*2 optimizations? .*|^1 degradation")
    program.find("degradation", "label")
    program.find("does not apply", "label")
    program.find("no resource has both .*", "label")  # and not which file: that is told above
    shot("checks")


def flame():
    program.click(program.find("Flame Views"))
    a, b = program.find("Flame View of A", "panel"), program.find("Flame View of B", "panel")
    program.click(a, at=(0.5, 0.9))
    program.key("Up")
    until("a box told to assistive technology", lambda: description(a) and "Nothing" not in description(a))
    said = program.find_text(r"A: .*, B: .* · Change: .*").string
    until("the same in B", lambda: description(b) and "Nothing" not in description(b))
    shot("flame-selected")
    program.key("w", "w", "w")
    shot("flame-zoomed")
    assert re.search(r"Change: [+−0]", said), said


def vanished():
    program.click(program.find("Vanished"))
    program.find("Vanished frames", "panel")
    shot("vanished")


def export():
    target = os.path.join(work, "diff.svg")
    program.choose_file("Export Picture", target, lambda: program.click(program.find("Export picture", "push button")))
    until("a picture", lambda: os.path.exists(target))
    with open(target) as f:
        assert "legacy" in f.read()


def swap():
    program.click(program.find("Swap A and B", "push button"))
    program.find_text(r"Total −16.7 %")


def stacks():
    for path, amounts in ((stacks_before, "main;parse 40\nmain;sort;legacy 20\n"), (stacks_after, "main;parse 41\nmain;cache 15\n")):
        with open(path, "w") as f:
            f.write(amounts)
    program.key("ctrl+w", "ctrl+w")
    program.key("ctrl+o")
    program.choose_file("Open Recording or Profile", stacks_after)
    program.find("Flame View", "panel")
    program.key("F10")
    program.find("Compare With…")
    program.key("c")
    program.choose_file("Compare With", stacks_before)
    program.find_text(r"samples −6.7 %")
    shot("stacks-figures")
    program.click(until("the names of views", lambda: program.last("Frames")))
    until("frames", lambda: program.there("legacy", "label") and program.there("cache", "label"))
    program.click(program.find("Flame Views"))
    program.click(program.find("Flame View of A", "panel"), at=(0.5, 0.9))
    program.key("Up")
    program.find_text(r"A: \d+, B: \d+ · Change: ")
    shot("stacks-flames")


def types():
    """Of several types of value one chooses which is compared."""
    program.key("ctrl+w", "ctrl+w")
    program.choose_file("Open Recording or Profile", heap, lambda: program.key("ctrl+o"))
    program.find("Flame View", "panel")
    program.key("F10")
    program.find("Compare With…")
    program.key("c")
    program.choose_file("Compare With", heap)
    program.find_text(r"inuse_space 0 %")
    shot("types")
    program.choose("Values", 0, lambda: program.says(r"alloc_objects 0 %"))


def close():
    program.key("ctrl+w", "ctrl+w")
    program.key("ctrl+q")
    assert program.process.wait(60) == 0


failed = run_steps([choose, warned, frames, checks, flame, vanished, export, swap, stacks, types, close], start, shot)
if program:
    program.end()
shutil.rmtree(work, ignore_errors=True)
sys.exit(failed)
