#!/usr/bin/python3
"""Stacks with values in the window: a CPU and a heap profile of a Go program, filtered, listed, drawn, saved and opened again.

usage: test-stacks.py WAKEPATH SCREENSHOTS PROFILES SAMPLE — under tests/xrun -w openbox or tests/wlrun. Prints TAP.
WAKEPATH: the program; SCREENSHOTS: a folder; PROFILES: a folder with go-cpu.pb.gz and go-heap.pb.gz, whose figures pprof gives; SAMPLE: a
recording.
"""
import json
import os
import shutil
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from desktop import Program, description, everything, run_steps, screen, still, take_shot, until  # noqa: E402

wakepath, pictures, profiles, sample = sys.argv[1:5]
os.makedirs(pictures, exist_ok=True)
work = tempfile.mkdtemp(prefix="wakepath-stacks.")
saved = os.path.join(work, "saved.speedscope.json")
marks_file = os.path.abspath(os.path.join(profiles, "../../../../fuzz/corpus/recording/marks.data"))
graph_file = os.path.join(work, "graph.json")
drawn = os.path.join(work, "calls.dot")
program = None


def shot(which):
    take_shot(program, pictures, which)


def start():
    global program
    program = Program([wakepath, os.path.join(profiles, "go-cpu.pb.gz")], "wakepath")


def view(number, sign):
    """Alt and a number lead to a view, which says `sign`."""
    program.done_when(lambda: program.key(f"alt+{number}"), lambda: program.there(sign), f"view {number}")


def step_typed(text):
    """Adds to the filter what one types."""
    entry = program.find("Add to the filter", "text")
    program.click(entry)
    program.key("ctrl+a")
    program.type(text)
    program.key("Return")


def drag(node, begin, end):
    """Drags with the first button from one place of a widget to another, both in parts of its size."""
    x, y, width, height = program.place(node)
    screen.move(round(x + width * begin[0]), round(y + height * begin[1]))
    screen.press()
    screen.move(round(x + width * (begin[0] + end[0]) / 2), round(y + height * (begin[1] + end[1]) / 2))
    screen.move(round(x + width * end[0]), round(y + height * end[1]))
    screen.release()


# --- the steps, in order ---

def opened():
    """A pprof profile opens as a flame view; samples without moments have no timeline."""
    program.find("Flame View", "panel")
    program.find_text(r"^1\.31.s$")
    assert [node.name for node in everything(program.root) if node.name in ("Flame", "Functions", "Calls", "Timeline") and node.role == "push button"] \
        == ["Flame", "Functions", "Calls"]
    shot("flame")


def by_label():
    """A label chosen from the list is a step of the filter; undo takes it back."""
    program.done_when(lambda: program.click(program.find("Labels", "push button")), lambda: program.there("sort", "label"), "the labels")
    shot("labels")
    program.done_when(lambda: program.key("Down", "Return"), lambda: program.says("^Label: task=sort$"), "a step of the filter")
    program.find_text(r"^340.ms of 1\.31.s \(26\.0.%\)$")
    shot("filtered")
    program.press("Undo the last change of the filter")
    program.find_text(r"^1\.31.s$")


def typed():
    """Steps are typed, too; what is no pattern is said, and nothing changes."""
    step_typed("focus=sorting ignore=Perm")
    program.find_text(r"^\d+.ms of 1\.31.s")
    program.find_text("^Focus: sorting$")
    program.find_text("^Ignore: Perm$")
    step_typed("a(")
    still()
    assert not program.says(r"^Focus: a\($")
    program.press("Everything")
    program.find_text(r"^1\.31.s$")


def functions():
    """The table has what pprof's top has; the one that is selected has callers and callees."""
    view(2, "Filter rows")
    program.find_text("^121 rows$")
    shot("functions")
    program.click(program.find("Filter rows"))
    program.type("main.sorting")
    program.find_text("^2 of 121 rows$")
    program.click(program.last("main.sorting", "label"))
    until("its callers", lambda: program.there("main.main.func1.1", "label"))
    program.find("sort.Slice", "label")
    shot("callers")
    program.done_when(lambda: program.key("ctrl+shift+c"), lambda: screen.copied()[0].startswith("main.sorting\nSelf"), "what is said of it")


def two_sided():
    """Callers and callees are one picture, too."""
    program.done_when(lambda: program.click(program.find("As Flame", "push button")), lambda: program.there("Callers and Callees", "panel"), "the picture")
    shot("two-sided")
    program.click(program.find("As Flame", "push button"))


def source():
    """The source of the selected function is a view; where no file is found, it says so and has the values of lines."""
    view(4, "Disassembly")
    program.find_text("^Source Not Found$")
    program.find_text("^main.sorting$")
    shot("source")
    view(2, "Filter rows")


def limits(key):
    """Home or End in both limits of the call graph."""
    for limit in ("Hide self up to", "and calls up to"):
        program.click(program.find(limit, "slider"), at=(0.02, 0.5))
        program.key(key)


def calls():
    """The call graph has the selected function, its callers and callees with their shares; arrow keys go along calls, a search finds nodes."""
    view(3, "Call Graph")
    graph = program.find("Call Graph")
    until("the selected function", lambda: description(graph).startswith("main.sorting\n"))
    program.find("main.main.func1.1", "label")
    shot("calls")
    for limit in ("Hide self up to", "and calls up to"):
        program.click(program.find(limit, "slider"), at=(0.6, 0.5))
    program.find_text(r"^\d+ of \d+ hidden$")
    for limit in ("Hide self up to", "and calls up to"):
        program.click(program.find(limit, "slider"), at=(0.02, 0.5))
    until("nothing hidden", lambda: not program.says(r"^\d+ of \d+ hidden$"))
    program.done_when(lambda: program.click(graph, at=(0.02, 0.02)), lambda: description(graph) == "Nothing is selected", "nothing selected")
    search = next(node for node in everything(program.root) if node.name == "Find functions")
    program.click(search)
    program.type("^sort.Slice$")
    program.find_text("^1 node$")
    program.key("Return")
    until("what was found", lambda: description(graph).startswith("sort.Slice\n"))
    limits("End")
    program.find_text(r"^\d+ of \d+ hidden$")
    program.click(search)
    program.key("ctrl+a")
    program.type(".")
    program.find_text(r"^\d+ of 121 shown$")
    program.done_when(lambda: program.key("ctrl+shift+g"), lambda: not description(graph).startswith("sort.Slice\n"), "the last node that is shown")
    selected = description(graph)
    limits("Home")
    until("nothing hidden", lambda: not program.says(r"^\d+ of \d+ hidden$"))
    assert description(graph) == selected, (description(graph), selected)
    program.done_when(lambda: program.click(program.find("Lines", "push button")), lambda: description(graph) == "Nothing is selected", "lines, of which none is that function", 40)
    program.click(program.find("Lines", "push button"))
    program.find_text("^121 nodes$")  # functions again
    program.click(search)
    program.key("ctrl+a", "Delete")
    program.done_when(lambda: program.click(graph, at=(0.02, 0.02)),
                      lambda: description(graph) == "Nothing is selected" and program.find("Call Graph").focused, "the keyboard in the picture")
    program.key("Down")
    until("the node of the widest edge", lambda: "main.main.func1" in description(graph))
    program.key("Down")
    until("what it calls", lambda: description(graph).startswith("runtime/pprof.Do\n"))
    program.choose_file("Export Picture", drawn, lambda: program.key("ctrl+shift+e"))
    until("the graph for Graphviz", lambda: os.path.exists(drawn))
    with open(drawn, encoding="utf-8") as file:
        text = file.read()
    assert text.startswith("digraph Profile {") and "runtime/pprof.Do" in text, text[:200]
    program.choose_file("Export Picture", graph_file, lambda: program.key("ctrl+shift+e"))
    until("the graph as JSON", lambda: os.path.exists(graph_file))
    shot("calls-walked")
    view(2, "Filter rows")


def double_click():
    """A double click on a function focuses on it."""
    row = next(node for node in everything(program.root) if node.name == "main.sorting" and node.role == "label")
    program.done_when(lambda: program.click(row, times=2), lambda: program.says("^Focus: main.sorting$"), "a step of the filter")
    program.find_text(r"^\d+.ms of 1\.31.s")
    view(1, "Flame View")
    shot("focused")


def box_at(x, y):
    """What is said of the box that is clicked at this place of the flame view, in parts of its size."""
    canvas = program.find("Flame View", "panel")
    program.click(canvas, at=(x, y))
    still()
    return description(canvas)


def copied():
    """What is said of a box, with its stack, is copied as text and as Markdown; and what is seen as a picture."""
    said = until("a box to be selected", lambda: (words := box_at(0.2, 0.5)) != "Nothing is selected" and words)
    name = said.split("\n")[0]
    program.done_when(lambda: program.key("ctrl+shift+c"), lambda: screen.copied()[0].startswith(f"{name}\nSelf "), "the details")
    assert screen.copied()[0].rstrip("\n").split("\n\n")[1].split("\n")[0] == name, screen.copied()
    program.from_menu("Copy Details as Markdown", "a", lambda: screen.copied()[0].startswith("### "), "Markdown")
    assert "\n- Self " in screen.copied()[0] and "\n**Stack**\n\n```\n" in screen.copied()[0], screen.copied()
    program.from_menu("Copy Picture", "t", lambda: screen.copied()[1], "a picture")


def options():
    """The flame view turned over and upside down: innermost functions are at the top then."""
    program.click(program.find("Inverted", "push button"))
    program.done_when(lambda: program.click(program.find("Icicle", "push button")), lambda: box_at(0.2, 0.02).startswith("runtime.asyncPreempt"),
                      "innermost functions at the top", 40)
    shot("inverted")


def export():
    """What the filter leaves is saved in the format that the name tells, and opens again with the same sum."""
    total = program.find_text(r"^(.+) of 1\.31.s")[1]
    program.choose_file("Save Profile", saved, lambda: program.key("ctrl+s"))
    until("the profile", lambda: os.path.exists(saved))
    with open(saved, encoding="utf-8") as file:
        content = json.load(file)
    assert content["$schema"].startswith("https://www.speedscope.app/"), content["$schema"]
    program.choose_file("Open Recording or Profile", saved, lambda: program.key("ctrl+o"))
    program.find_text(rf"^{total}$")
    shot("reopened")


def heap():
    """Every type of value can be looked at."""
    program.choose_file("Open Recording or Profile", os.path.join(profiles, "go-heap.pb.gz"), lambda: program.key("ctrl+o"))
    before = program.find_text(r"^[\d.]+.[KMG]?i?B$")[0]
    program.choose("Values", 0, lambda: (program.says(r"^\d[\d.]*$") or [before])[0] != before)
    shot("heap")
    program.choose("Values", 1, lambda: program.says(r"^[\d.]+.[KMG]?i?B$"))
    program.done_when(lambda: program.click(program.find("Mean", "push button")), lambda: program.says(r"^[\d.]+.(Ki)?B on average$"), "means", 40)
    shot("mean")
    view(3, "Call Graph")
    program.find_text("Sums: means do not add up along calls$")
    shot("mean-calls")


def graph_alone():
    """A call graph that was saved without stacks opens, too: functions, callers and callees."""
    program.choose_file("Open Recording or Profile", graph_file, lambda: program.key("ctrl+o"))
    program.find_text(r"^graph\.json$")
    graph = lambda: description(program.last("Call Graph"))  # noqa: E731
    until("the keyboard in the picture", lambda: program.last("Call Graph") and program.last("Call Graph").focused)
    program.key("Down")
    until("the first node", lambda: "main.main.func1\n" in graph())
    program.search("^sort.Slice$", "^1 node$")
    program.key("Return")
    until("what was found", lambda: graph().startswith("sort.Slice\n"))
    shot("graph-alone")
    picture = program.last("Call Graph")
    program.key("Escape")
    program.done_when(lambda: program.click(picture, at=(0.02, 0.02)), lambda: graph() == "Nothing is selected", "nothing selected")
    before = screen.shown()
    program.done_when(lambda: drag(picture, (0.02, 0.02), (0.3, 0.3)), lambda: screen.shown() != before, "another place")
    still()
    dragged = screen.shown()
    screen.wheel(-3)
    until("a larger picture", lambda: screen.shown() != dragged)
    program.key("Down")
    selected = until("a node", lambda: (now := graph()) != "Nothing is selected" and now)
    still()
    place = screen.shown()
    program.key("Return")
    until("the selected node in the middle", lambda: screen.shown() != place)
    still()
    program.done_when(lambda: program.click(picture), lambda: graph() == selected, "the node in the middle")
    place = screen.shown()
    screen.wheel(3)
    until("a smaller picture", lambda: screen.shown() != place)
    still()
    place = screen.shown()
    program.click(picture, times=2)
    until("as large as it is again, by a double click", lambda: screen.shown() != place)
    still()
    program.click(picture, button=3)
    program.find("Search for This Name")
    shot("graph-menu")
    program.key("Escape")


def system():
    """All tasks of a recording, by process, are one key away, with what they took on and off the CPU; and so is the process again."""
    program.choose_file("Open Recording or Profile", sample, lambda: program.key("ctrl+o"))
    program.find("System", "push button")
    program.done_when(lambda: program.key("alt+5"), lambda: program.says("^Label as root: process$"), "the whole system")
    program.find_text("^on-cpu$")
    program.find_text(r"^57\.5.ms$")
    legend = until("the colours of processes", lambda: "In the kernel" in description(program.last("Legend")) and description(program.last("Legend")))
    assert "tour-store" in legend and "Library" not in legend, legend
    shot("system")
    program.choose("Values", 1, lambda: program.says("^off-cpu$"))
    program.find_text(r"^129.ms$")
    program.done_when(lambda: program.key("alt+1"), lambda: program.there("Processes", "panel"), "the processes")


def marked():
    """What programs said that they were doing stands between a process and its functions, and in the details of what they did."""
    program.choose_file("Open Recording or Profile", marks_file, lambda: program.key("ctrl+o"))
    program.find_text(r"^marks\.data$")
    program.done_when(lambda: program.key("alt+5"), lambda: program.says("^Label as root: process,mark$"), "the whole system, with marks")
    program.done_when(lambda: program.click(program.last("Functions", "push button")), lambda: program.there("first half", "label"), "marks among functions")
    shot("marked")


def plain_recording():
    """A recording without task switches opens as stacks, and says with what command waits would be in it."""
    path = os.path.join(work, "plain.trace")
    with open(path, "w") as file:
        for i in range(4):
            file.write(f"prog  100/100 [000]     1.0{i}0000:     10000 cycles: \n\t          401000 main+0x10 (/bin/prog)\n\n")
    program.choose_file("Open Recording or Profile", path, lambda: program.key("ctrl+o"))
    program.find_text(r"^This recording says what ran, not what was waited for\. .* perf record -a -g -e sched:sched_switch,sched:sched_waking,\S+ -- COMMAND$")
    shot("plain")


steps = [opened, by_label, typed, functions, two_sided, source, calls, double_click, copied, options, export, heap, graph_alone, system, marked, plain_recording]
failed = run_steps(steps, start, shot)
program.end()
shutil.rmtree(work)
sys.exit(failed)
