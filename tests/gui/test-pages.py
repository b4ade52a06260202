#!/usr/bin/python3
"""Finding one's way in a recording by mouse and keyboard: back and forward, undo, what boxes say of themselves, measuring, notes, raw events, copying.

usage: test-pages.py WAKEPATH SCREENSHOTS SCENARIOS — under tests/xrun -w openbox or tests/wlrun. Prints TAP.
WAKEPATH: the program; SCREENSHOTS: a folder; SCENARIOS: the folder of the hand-written recordings.
"""
import os
import re
import shutil
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from desktop import Program, description, everything, run_steps, screen, still, take_shot, until  # noqa: E402

wakepath, pictures, scenarios = sys.argv[1:4]
os.makedirs(pictures, exist_ok=True)
work = tempfile.mkdtemp(prefix="wakepath-pages.")
program = None


def shot(which):
    take_shot(program, pictures, which)


def start():
    global program
    program = Program([wakepath, os.path.join(scenarios, "fork-wait-file.trace")], "wakepath")


def view(name):
    """The picture of a view, as long as that one is seen."""
    return program.there(name, "panel")


def said(name="Flame View"):
    """What is said of the selected box."""
    return description(program.find(name, "panel"))


def select(words, name="Flame View"):
    """The first box with this name in the current view."""
    program.search(words, r"^\d+ box(es)?\b")
    program.key("Return")
    program.find_text(r"^1 of \d+")
    program.key("Escape")
    until(f"{words} is selected", lambda: words in said(name))


def titled(title):
    """Whether a tab has this title."""
    return any(re.fullmatch(title, node.name) for node in everything(program.root))


def go(key, happened, what):
    """A key that leads elsewhere: once more only where it was lost, since two lead too far."""
    return program.done_when(lambda: program.key(key), happened, what, 20)


# --- the steps, in order ---

def open_process(name):
    """By its name in Processes."""
    program.find(re.escape(name), "push button")
    program.symbols_read()
    program.done_when(lambda: program.click(program.find(re.escape(name), "push button")), lambda: titled(re.escape(f"{name} – fork-wait-file.trace")),
                      f"the tab of {name}")
    until("its rows", program.table)


def pane_from_the_start():
    """The pane is there before the first click, which moves nothing."""
    open_process("A (10)")
    program.find_text("Click a box to see what it is")
    still()
    before = program.place(view("Flame View"))
    select("load")
    until("the picture where it was, once the search's bar has gone", lambda: program.place(view("Flame View")) == before)
    program.find_text("^Waited|^Woken|^Before it ran|^This part")
    shot("details")


def pane_again():
    """What was read of a box lies further down than what is read of another begins: its pane is at its top."""
    def kind():
        return program.place(program.find("Kind", "label"))[1]
    before = kind()
    program.point(program.find("Kind", "label"))
    screen.wheel(5)
    until("the pane to be scrolled", lambda: program.there("Kind", "label") is None or kind() < before)
    program.from_menu("Go to What Woke It", "w", lambda: "load" not in said(), "the waker")
    until("its facts from the start", lambda: program.there("Kind", "label") and kind() == before)
    go("alt+Left", lambda: "load" in said(), "the box again")


def back():
    """Another process, another view and another place are steps back, with what was selected there; the tab is called after the process."""
    program.press("Processes")
    until("Processes", lambda: view("Processes"))
    open_process("B (11)")
    shot("another-process")
    go("alt+Left", lambda: view("Processes"), "Processes again")
    go("alt+Left", lambda: view("Flame View") and "load" in said(), "the box that was selected")
    until("the tab's name", lambda: titled(r"A \(10\) – fork-wait-file.trace"))
    go("alt+Right", lambda: view("Processes"), "Processes")
    go("alt+Right", lambda: titled(r"B \(11\) – fork-wait-file.trace") and view("Flame View"), "the other process")
    program.key("alt+Left", "alt+Left")  # on the way to one place one goes further
    until("the box that was selected", lambda: view("Flame View") and "load" in said())


def back_from_calls():
    """From the call graph, too, where it was come to from."""
    program.press("Calls")
    until("the call graph", lambda: not view("Flame View"))
    go("alt+Left", lambda: view("Flame View") and "load" in said(), "the flame view")


def link_is_one_step():
    """What woke it is gone to and come back from by one step each, though the picture moves and something else is selected."""
    select("waits for child B")
    before = said()
    program.key("f")
    still()
    program.from_menu("Go to What Woke It", "w", lambda: said() != before and "waits for child" not in said(), "the waker")
    shot("waker")
    go("alt+Left", lambda: "waits for child B" in said(), "the box again")


def row_of(canvas, row):
    """Where the middle of a row is, from 0 at the top to 1, where all of them are seen; the uppermost is 0."""
    return (row + 0.5) * 22 / program.place(canvas)[3]


def found_time():
    """A search tells how long all that it found takes, each stretch once, though what is found stands on what is found."""
    program.key("ctrl+0")
    program.search("^(main|work)$", r"^\d+ boxes · [\d.]+ %$")
    program.find_text("^400 µs$")
    program.search("work", "^200 µs$")
    shot("found-time")
    program.key("Escape")


def share_seen():
    """Which share of what is seen the selected box is, as it is said."""
    program.key("Escape")
    select("load")
    return re.search(r"\(([\d.]+) % of what is seen\)", said())[1]


def zoom_to_a_band():
    """With Ctrl a band is drawn out, and then seen alone; one step back leads out again."""
    whole = share_seen()
    canvas = view("Flame View")
    x, y, width, height = program.place(canvas)

    def draw_out():
        with screen.held("ctrl"):
            screen.move(x + width // 4, y + height // 2)
            screen.press()
            for part in 0.3, 0.5, 0.8:
                screen.move(x + round(width * part), y + height // 2)
            shot("band")
            screen.release()
        still()
    program.done_when(draw_out, lambda: share_seen() != whole, "a part to be seen alone", undo=lambda: program.key("ctrl+0"))
    go("alt+Left", lambda: share_seen() == whole, "all of it")


def measure():
    """Shift and a click on a second box tell how far that is, and mark the time of both."""
    canvas = view("Flame View")
    still()
    program.done_when(lambda: program.click(canvas, at=(0.05, row_of(canvas, 7))), lambda: "work" in said(), "the first run")

    def second():
        with screen.held("shift"):
            program.click(canvas, at=(0.5, row_of(canvas, 7)))
    program.done_when(second, lambda: program.says(r"From start to start 60\.0 µs; 0 ns between them; 370 µs in all"), "the distance")
    until("the table of that time", lambda: program.says("^Took 370 µs"))
    shot("measured")
    program.done_when(lambda: program.key("ctrl+z"), lambda: program.says("^Took 400 µs"), "no mark", 20)


def raw_events():
    """From any box: the events of its time as the recording has them, in a table with a filter."""
    select("load")
    program.from_menu("Recorded Events", "e", lambda: program.has_top_level("Events from"), "the events")
    window = program.top_level("Events from 90 µs On, for 240 µs")
    program.find_text(r"^\d+ rows$")
    program.find("sched:sched_waking", "label")
    still()

    def narrow():
        program.click(program.find("Filter rows"), window)
        program.key("ctrl+a")
        program.type("block_rq_issue")
    program.done_when(narrow, lambda: program.says(r"^1 of 8\b"), "one row")
    program.find(r"8,1048000 R 4096 \(\) 1000 \+ 8 \[swapper\]", "label")
    shot("raw-events")

    def leave():
        cell = program.there("block:block_rq_issue", "label")
        if cell is not None:
            program.click(cell, window)  # in the filter Escape is the filter's
        program.key("Escape")
    program.done_when(leave, lambda: not program.has_top_level("Events from"), "the window to close")
    screen.activate(program.window)


def notes():
    """B writes down a note at the selected moment, a click on its flag changes it, a list leads there; they are copied, and saved with the profile."""
    still()
    canvas = view("Flame View")
    program.done_when(lambda: program.click(canvas, at=(0.5, row_of(canvas, 7))), lambda: "wait4" in said(), "wait4")

    def write(words):
        def answer():
            program.top_level("Note at .*")
            still()
            program.key("ctrl+a")
            program.type(words)
            program.key("Return")
        program.done_when(answer, lambda: not program.has_top_level("Note at"), "the note to be written down")
    program.done_when(lambda: program.key("b"), lambda: program.has_top_level("Note at"), "the dialog")
    write("why so long?")

    def axis():
        return program.last("Axis")  # those of other views stand before it

    def notes_told():
        """Behind where one is."""
        return description(axis()).partition("\n")[2]
    until("a flag", lambda: notes_told() == "why so long?")
    shot("note")
    screen.activate(program.window)
    program.done_when(lambda: program.click(axis(), at=(0.5, 0.3)), lambda: program.has_top_level("Note at"), "the dialog of the flag")
    write("a slow disk")
    program.done_when(lambda: program.key("ctrl+w"), lambda: program.there("Close “.*” Without Saving\?"), "the question")
    program.done_when(lambda: program.key("Escape"), lambda: not program.there("Close “.*” Without Saving\?"), "the question to go")
    screen.activate(program.window)
    until("the new text", lambda: notes_told() == "a slow disk")
    program.done_when(lambda: (program.click(view("Flame View"), at=(0.5, 0.1)), program.key("w", "w")),
                      lambda: re.match("From .* is seen, .*\na slow disk$", description(axis())), "place and note to be told of a part, too")
    program.key("ctrl+0")
    until("all to be seen", lambda: description(axis()).startswith("All of "))
    screen.activate(program.window)
    program.done_when(lambda: program.key("ctrl+b"), lambda: program.has_top_level("^Notes$"), "the list")
    program.top_level("^Notes$")
    program.find("a slow disk", "label")
    shot("notes")
    program.press("Copy all notes as Markdown")
    until("the notes to be copied", lambda: re.search(r"(?m)^- .*a slow disk$", screen.copied()[0]))
    program.done_when(lambda: program.key("Escape"), lambda: not program.has_top_level("^Notes$"), "the list to close")
    screen.activate(program.window)
    folded, path = os.path.join(work, "A.folded"), os.path.join(work, "A.perf")
    program.choose_file("Save Profile", folded, lambda: program.key("ctrl+s"))
    program.find_text("The notes are not in it")
    program.done_when(lambda: program.key("ctrl+w"), lambda: program.there("Close “.*” Without Saving\?"), "the question for what no file has yet")
    program.done_when(lambda: program.key("Escape"), lambda: not program.there("Close “.*” Without Saving\?"), "the question to go")
    screen.activate(program.window)
    program.choose_file("Save Profile", path, lambda: program.key("ctrl+s"))
    with open(until("a profile", lambda: os.path.exists(path) and path)) as f:
        assert '"text": "a slow disk"' in f.read()
    program.done_when(lambda: program.click(axis(), at=(0.5, 0.3)), lambda: program.has_top_level("Note at"), "the dialog of the flag")
    program.done_when(lambda: program.press("_?Remove.*"), lambda: not program.has_top_level("Note at"), "the note to be taken away")
    until("no note", lambda: notes_told() == "")
    program.done_when(lambda: program.key("ctrl+w"), lambda: program.there("Close “.*” Without Saving\?"), "the question: the file still has it")
    program.done_when(lambda: program.key("Escape"), lambda: not program.there("Close “.*” Without Saving\?"), "the question to go")
    screen.activate(program.window)


def copied():
    """What is selected is copied as Markdown, and what is seen as a picture."""
    select("load")
    program.from_menu("Copy Details as Markdown", "a", lambda: screen.copied()[0].startswith("### load\n"), "Markdown")
    text = screen.copied()[0]
    assert "\nWaited 192 µs for 8:1048000.\n" in text and "| Kind | Sleeping |" in text and "**Stack**\n\n```\n" in text, text
    program.from_menu("Copy Picture", "p", lambda: screen.copied()[1], "a picture")


def together():
    """Another process explained together with the first: one table of both, gathered; back and undo lead to the first alone, forward to both."""
    program.search("^B$", r"^\d+ box(es)?\b")
    program.key("Return")
    program.find_text(r"^1 of \d+")
    program.key("Escape")
    program.from_menu("Explain Together", "g", lambda: view("Consolidated Flame View"), "both, gathered")
    until("both in the tab's name", lambda: titled(r"A, B – fork-wait-file\.trace"))
    program.find_text("2 processes · 2 chains of work")
    shot("together")
    go("alt+Left", lambda: titled(r"A \(10\) – fork-wait-file\.trace") and view("Flame View"), "the first alone")
    go("alt+Right", lambda: titled(r"A, B – fork-wait-file\.trace") and view("Consolidated Flame View"), "both again")
    program.done_when(lambda: program.key("ctrl+z"), lambda: titled(r"A \(10\) – fork-wait-file\.trace"), "the first alone")


def five_processes():
    """A recording of sh, which starts one curl after the other: five of them, a hair's breadth apart."""
    lines, now = [], 1_000_000_000

    def event(comm, pid, what, *stack):
        lines.append(f"{comm:>8} {pid}/{pid} [000] {now // 10**9}.{now % 10**9:09}: {what}")
        lines.extend("\t" + frame for frame in stack)
        lines.append("")

    def switch(comm, pid, state, to, to_pid, *stack):
        event(comm, pid, f"sched:sched_switch: prev_comm={comm} prev_pid={pid} prev_prio=120 prev_state={state} ==> "
              f"next_comm={to} next_pid={to_pid} next_prio=120", *stack)

    switch("swapper/0", 0, "R", "sh", 10)
    for child in range(11, 16):
        now += 100
        event("sh", 10, f"sched:sched_process_fork: comm=sh pid=10 child_comm=curl child_pid={child}")
        event("sh", 10, f"sched:sched_wakeup_new: comm=curl pid={child} prio=120 target_cpu=000")
        switch("sh", 10, "S", "curl", child, "ffffffff81000000 __schedule ([kernel.kallsyms])", "ffffffff81002000 do_wait ([kernel.kallsyms])",
               "401000 wait4 (/usr/bin/sh)", "401100 main (/usr/bin/sh)")
        now += 100_000
        event("curl", child, "250000 cpu-clock:", "401100 main (/usr/bin/curl)")
        event("curl", child, f"sched:sched_process_exit: comm=curl pid={child} prio=120")
        event("curl", child, "sched:sched_waking: comm=sh pid=10 prio=120 target_cpu=000")
        switch("curl", child, "X", "sh", 10)
    now += 100
    switch("sh", 10, "X", "swapper/0", 0)
    path = os.path.join(work, "five.trace")
    with open(path, "w") as f:
        f.write("\n".join(lines) + "\n")
    return path


def boxes_in_rows(canvas):
    """For each row of pixels under the upper edge of a row of boxes: how many stretches of one colour it has that are wide."""
    x, y, width, height = program.place(canvas)
    counts = []
    for top in range(3, height - 4, 22):
        line = screen.convert((x, y + top, width, 1), "-depth", "8", "rgb:-")
        pixels = [line[i:i + 3] for i in range(0, len(line), 3)]
        ground, n, length = b"\xff\xff\xff", 0, 0
        for before, pixel in zip([None] + pixels, pixels + [None]):
            length = length + 1 if pixel == before else 1
            n += length == 60 and pixel != ground
        counts.append(n)
    return counts


def stays_where_it_is():
    """The pane is as high each time that the program starts, not a pixel less."""
    def height():
        start()
        open_process("A (10)")
        program.find_text("Click a box to see what it is")
        still()
        found = program.place(view("Flame View"))[3]
        program.done_when(lambda: program.key("ctrl+q"), lambda: program.process.poll() is not None, "the program to end", 10)
        return found
    program.done_when(lambda: program.key("ctrl+q"), lambda: program.process.poll() is not None or program.says("Close .* Without Saving"), "the end, or a question")
    if program.process.poll() is None:
        program.press(".*Close .*Without Saving.*")
        until("the program to end", lambda: program.process.poll() is not None)
    assert len(heights := {height() for _ in range(3)}) == 1, heights


def calls_stay_apart():
    """Five processes of one name are five boxes, though the gaps between them are far narrower than a pixel."""
    program.choose_file("Open Recording or Profile", five_processes(), lambda: program.key("ctrl+o"))
    program.find(r"sh \(10\)", "push button")
    program.symbols_read()
    program.done_when(lambda: program.click(program.find(r"sh \(10\)", "push button")), lambda: titled(r"sh \(10\) – five\.trace"), "the tab of sh")
    until("its rows", program.table)
    still()
    counts = boxes_in_rows(program.last("Flame View", "panel"))
    shot("five")
    assert 1 in counts and 5 in counts, counts


steps = [pane_from_the_start, pane_again, back, back_from_calls, link_is_one_step, found_time, zoom_to_a_band, measure, raw_events, notes, copied, together, calls_stay_apart, stays_where_it_is]

failed = True
try:
    failed = run_steps(steps, start, shot)
finally:
    if program:
        program.end()
    shutil.rmtree(work, ignore_errors=True)
sys.exit(failed)
