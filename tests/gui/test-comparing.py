#!/usr/bin/python3
"""Two profiles compared in the window: tables, frames with their filter, flame views that follow each other, warnings, a picture; the same of stacks.

usage: test-comparing.py WAKEPATH SCREENSHOTS HEAP CLI SCENARIOS — under tests/xrun -w openbox or tests/wlrun. Prints TAP.
WAKEPATH: the program; SCREENSHOTS: a folder; HEAP: a heap profile of pprof's; CLI: wakepath-cli; SCENARIOS: recordings as text. What is compared and checked is tested without a display (tests/unit/test-workspace-compare.c).
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from desktop import Program, description, run_steps, screen, still, take_shot, until  # noqa: E402

wakepath, pictures, heap, cli, scenarios = sys.argv[1:6]
os.makedirs(pictures, exist_ok=True)
work = tempfile.mkdtemp(prefix="wakepath-comparing.")
before, after = os.path.join(work, "before.perf"), os.path.join(work, "after.perf")
stacks_before, stacks_after = os.path.join(work, "before.folded"), os.path.join(work, "after.folded")
FOLDED = r"^(\d+) frames? folded$"
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
    program.find("Flame Graph", "panel")
    program.compare_with(before)
    program.find_text(r"^Slower: \+20\.0 ms \(\+20\.0 %\)$")
    program.find_text(r"Total \+20.0 %")
    shot("explanation")


def warned():
    program.find_text(r"The commands differ: A ran \./work, B ran \./work --new")


def show_view(name, happened):
    """What comes in above the names of the views moves them: a click may miss."""
    program.done_when(lambda: program.click(until("the names of views", lambda: program.last(name))), happened, name)


def frames():
    show_view("Frames", lambda: program.there("legacy", "label") and program.there("cache", "label"))
    shot("frames")
    program.choose("Which frames", 1, lambda: program.there("cache", "label") and not program.there("parse", "label"))


def checks():
    show_view("Checks", lambda: program.there("degradation", "label"))
    program.find_text(r"^1 degradation · .*2 optimizations? .*|^1 degradation")
    program.find("does not apply", "label")
    program.find("no resource has both .*", "label")  # and not which file: that is told above
    for amount in r"30\.0.ms", r"60\.0.ms":  # as everywhere, not as so many ns
        program.find(amount, "label")
    shot("checks")


def flame():
    show_view("Flame Views", lambda: program.last("Flame View of A"))
    a, b = program.find("Flame View of A", "panel"), program.find("Flame View of B", "panel")

    def select():
        program.click(a, at=(0.5, 0.9))
        program.key("Up")
    program.done_when(select, lambda: description(a) and "Nothing" not in description(a), "a box told to assistive technology")
    said = program.find_text(r"A: .* · B: .* · Change: .*").string
    until("the same in B", lambda: description(b) and "Nothing" not in description(b))
    shot("flame-selected")
    program.key("w", "w", "w")
    shot("flame-zoomed")
    assert re.search(r"Change: [+−0]", said), said


def vanished():
    show_view("Vanished", lambda: program.there("Vanished frames", "panel"))
    shot("vanished")


def export():
    target = os.path.join(work, "diff.svg")
    program.choose_file("Export Picture", target, lambda: program.click(program.find("Export picture", "push button")))
    until("a picture", lambda: os.path.exists(target))
    with open(target) as f:
        assert "legacy" in f.read()


def help_asked_for():
    """Begins with the page about comparisons."""
    program.done_when(lambda: program.key("F1"), lambda: program.has_top_level("^Help$"), "the help")
    program.find_text("^Compare With, in the menu, puts another profile")
    shot("help")
    program.top_level("^Help$")
    program.done_when(lambda: program.key("Escape"), lambda: not program.has_top_level("^Help$"), "the help to go")
    screen.activate(program.window)


def copied():
    """What is said of a frame, and the picture."""
    show_view("Flame Views", lambda: program.last("Flame View of A"))
    program.done_when(lambda: (program.click(program.last("Flame View of A"), at=(0.5, 0.9)), program.key("Up")), lambda: program.says(r"A: .* · B: "), "a frame")
    program.done_when(lambda: program.key("ctrl+shift+c"), lambda: re.search(r"\nA: .*\nB: .*\nChange: ", screen.copied()[0]), "the details")
    program.from_menu("Copy Details as Markdown", "a", lambda: re.match(r"### .*\n\n- A: ", screen.copied()[0]), "Markdown")
    program.from_menu("Copy Picture", "t", lambda: screen.copied()[1], "a picture")


def swap():
    program.press("Swap A and B")
    program.find_text(r"Total −16.7 %")


def stacks():
    for path, amounts in ((stacks_before, "main;parse 40\nmain;sort;legacy 20\n"), (stacks_after, "main;parse 41\nmain;cache 15\n")):
        with open(path, "w") as f:
            f.write(amounts)
    program.key("ctrl+w", "ctrl+w")
    program.choose_file("Open Recording or Profile", stacks_after, lambda: program.key("ctrl+o"))
    program.find("Flame View", "panel")
    program.compare_with(stacks_before)
    program.find_text(r"samples −6.7 %")
    assert program.there("Change", "label") and not program.there("Evidence", "label")  # of two single profiles there is none
    shot("stacks-figures")
    show_view("Frames", lambda: program.there("legacy", "label") and program.there("cache", "label"))
    show_view("Flame Views", lambda: program.last("Flame View of A"))

    def select():
        program.click(program.find("Flame View of A", "panel"), at=(0.5, 0.9))
        program.key("Up")
    program.done_when(select, lambda: program.says(r"A: \d+ .* · B: \d+ .* · Change: "), "a frame to be selected")
    shot("stacks-flames")


def types():
    """Of several types of value one chooses which is compared."""
    program.key("ctrl+w", "ctrl+w")
    program.choose_file("Open Recording or Profile", heap, lambda: program.key("ctrl+o"))
    program.find("Flame View", "panel")
    program.compare_with(heap)
    program.find_text(r"inuse_space 0 %")
    shot("types")
    program.choose("Values", 0, lambda: program.says(r"alloc_objects 0 %"))


def compare_saved(now, then):
    """Two explained processes, as wakepath-cli saves them; gives their paths."""
    paths = []
    for scenario in (now, then):
        paths.append(os.path.join(work, scenario + ".perf"))
        subprocess.run([cli, "save", os.path.join(scenarios, scenario + ".trace"), "--task", "A", "-o", paths[-1]], check=True, capture_output=True)
    program.key("ctrl+w", "ctrl+w")
    program.choose_file("Open Recording or Profile", paths[0], lambda: program.key("ctrl+o"))
    program.find("Explanation", "list")
    program.compare_with(paths[1])
    return paths


def in_words():
    """Of explained processes one reads first what changed; and the command says the same."""
    cold, warm = compare_saved("readahead", "fork-wait-file")
    said = json.loads(subprocess.run([cli, "diff", warm, cold, "--format", "json"], check=True, capture_output=True).stdout)["answer"]
    assert len(said) > 3, said
    program.find_text("^" + re.escape(said[0]["text"]) + "$")
    program.find_text("^" + re.escape(" ".join(sentence["text"] for sentence in said[1:])) + "$")
    shot("in-words")


def waits():
    """The longest waits of both sides, as the command lists them, the largest change first."""
    warm, cold = (os.path.join(work, which + ".perf") for which in ("fork-wait-file", "readahead"))
    listed = json.loads(subprocess.run([cli, "diff", warm, cold, "--format", "json"], check=True, capture_output=True).stdout)["waits"]
    changes = [abs(wait["ns"]["change"]) for wait in listed]
    assert listed and changes == sorted(changes, reverse=True), listed
    text = subprocess.run([cli, "diff", warm, cold], check=True, capture_output=True, text=True).stdout
    show_view("Longest Waits", lambda: program.there("^" + re.escape(listed[0]["text"]) + "$", "label"))
    for wait in listed:
        program.find("^" + re.escape(wait["text"]) + "$", "label")
        assert f"{wait['text']} ({wait['times']['a']:.4g} → {wait['times']['b']:.4g})" in text, text
    shot("waits")


def pressed(name):
    button = program.last(name, "push button")
    return button is not None and button.pressed


def depths():
    """At another depth there are other frames, and what is hidden is a chip; no figure changes by either."""
    compare_saved("call-tree", "at-least-here")
    figure = program.find_text(r"Took [+−]?[0-9.]+ %").string
    show_view("Flame Views", lambda: program.last("Flame View of A"))
    a = program.last("Flame View of A")
    shot("depth-functions")
    program.find_text(FOLDED)
    assert pressed("Functions") and not pressed("Waits")
    program.click(a, at=(0.5, 0.9))
    program.key("1")
    until("the depth Waits", lambda: pressed("Waits") and not pressed("Functions"))
    shot("depth-waits")
    program.key("3")
    until("the depth Everything", lambda: pressed("Everything") and not program.says(FOLDED))
    shot("depth-everything")
    program.click(program.last("Functions", "push button"))
    until("the depth Functions", lambda: pressed("Functions") and program.says(FOLDED))
    before_hiding = n_folded()
    program.click(a, at=(0.5, 0.9))
    until("a function is selected", lambda: program.says(r"^main — .*A: ") or program.key("Up"))
    program.key("h")
    program.find_text(r"^Function: main$")
    until("it to be folded", lambda: n_folded() > before_hiding)
    shot("hidden")
    assert program.find_text(r"Took [+−]?[0-9.]+ %").string == figure
    program.press("Remove “Function: main”")
    until("nothing is hidden", lambda: not program.there("Function: main", "label") and n_folded() == before_hiding)
    program.click(program.last("Hide"))
    program.find("What to hide")
    program.type("^MA")
    program.key("Return")
    program.find_text(r"^Matches: \^MA$")
    until("it to be folded again", lambda: n_folded() > before_hiding)
    shot("hidden-matches")
    assert program.find_text(r"Took [+−]?[0-9.]+ %").string == figure


def n_folded():
    return int(program.find_text(FOLDED)[1])


def folds():
    """What is searched for is shown while one searches; what one opens stays until another depth is chosen. No figure changes by either."""
    figure = program.find_text(r"Took [+−]?[0-9.]+ %").string
    hidden = n_folded()
    program.press(r"Remove “Matches: \^MA”")
    until("nothing is hidden", lambda: not program.there(r"Matches: \^MA", "label") and n_folded() < hidden)
    before = n_folded()
    program.key("ctrl+f")
    program.find("Search names in this view")
    program.type("vfs_read")
    until("what is found to be shown", lambda: n_folded() < before and program.says(r"^\d+ box(es)? · "))
    still()
    shot("folds-searched")
    program.key("Return")
    program.find_text(r"^vfs_read — .*A: ")
    program.find_text(r"^1 of \d+ · ")
    shot("folds-found")
    program.key("Escape")
    until("it to be folded again", lambda: n_folded() == before)
    program.click(program.last("Flame View of B"), at=(0.5, 0.9))
    until("a wait", lambda: program.says(r"^reads pipe.*frames folded: select and press E$") or program.key("Up"))
    shot("folds-selected")
    program.key("e")
    until("its frames", lambda: n_folded() < before)
    shot("folds-opened")
    program.key("2")
    until("all of it to be folded", lambda: n_folded() == before)
    still()
    program.click(program.last("Flame View of B"), at=(0.455, 0.3))  # the mark in the same box
    until("its frames again", lambda: n_folded() < before)
    program.key("2")
    until("all of it to be folded again", lambda: n_folded() == before)
    assert program.find_text(r"Took [+−]?[0-9.]+ %").string == figure


def close():
    program.key("ctrl+w", "ctrl+w")
    program.quit()


failed = run_steps([choose, warned, frames, checks, flame, copied, vanished, export, help_asked_for, swap, stacks, types, in_words, waits, depths, folds, close], start, shot)
if program:
    program.end()
shutil.rmtree(work, ignore_errors=True)
sys.exit(failed)
