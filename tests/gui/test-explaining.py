#!/usr/bin/python3
"""What the window explains, by mouse and keyboard, on small hand-written recordings whose explanation is known.

usage: test-explaining.py WAKEPATH SCREENSHOTS SCENARIOS — under tests/xrun -w openbox or tests/wlrun. Prints TAP.
WAKEPATH: the program; SCREENSHOTS: a folder; SCENARIOS: the folder of the recordings.
"""
import json
import os
import re
import shutil
import sys
import tempfile

here = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [here, os.path.join(here, "..", "hostile")]
import crafted  # noqa: E402
from desktop import Program, description, everything, name, run_steps, screen, still, take_shot, text, until  # noqa: E402

wakepath, pictures, scenarios = sys.argv[1:4]
os.makedirs(pictures, exist_ok=True)
work = tempfile.mkdtemp(prefix="wakepath-explaining.")
MARGIN = 0.02  # of what is fitted, at each side
program = None


def shot(which):
    take_shot(program, pictures, which)


def start():
    global program
    program = Program([wakepath, os.path.join(scenarios, "lost-events.trace")], "wakepath")


def open_scenario(which, process):
    """Opens a recording in a tab and the flame view of a process in it."""
    program.choose_file("Open Recording or Profile", os.path.join(scenarios, which + ".trace"), lambda: program.key("ctrl+o"))
    explain(re.escape(process))


def explain(process):
    """Chooses a process by its name."""
    program.find(process, "push button")
    program.symbols_read()
    program.done_when(lambda: program.click(program.find(process, "push button")),
                      lambda: program.there("Flame View", "panel") and program.there("Explanation", "list"), "an explanation")
    until("its rows", program.table)


def select(text):
    """Selects the first box with this name in the current view, by searching."""
    program.search(text, r"^\d+ box(es)?(, \d+ in folds)?( · [\d.]+ %)?$")
    program.key("Return")
    program.find_text(r"^1 of \d+(, \d+ in folds)?( · [\d.]+ %)?$")
    program.key("Escape")


def row(of):
    return next(r for r in program.list_rows("Explanation") if r.name.startswith(of))


def choose_item(item, letter):
    """In a menu that is open: by the letter that is underlined."""
    program.find(item)
    still()
    program.key(letter)
    program.menu_gone()


# --- the steps, in order ---

def banner():
    """Lost events are told at once, what it means in the details, and a dismissed banner stays away."""
    program.find_text(r"1204 events were lost, between .* and .* ms")
    program.done_when(lambda: program.click(program.find("Details")), lambda: program.says("that time is shown as unknown"), "the details", 15)
    shot("banner")
    program.key("Escape")
    program.click(program.find("Dismiss", "push button"))
    until("no banner", lambda: not program.says("1204 events were lost"))
    program.click(program.find(r"A \(10\)", "push button"))
    until("an explanation", program.table)
    still()
    assert not program.says("1204 events were lost")
    program.find_text("unexplained.*: events were lost")
    program.key("ctrl+w")


def disk_details():
    open_scenario("fork-wait-file", "A (10)")
    select("read 4 KiB")
    program.find("Device", "label")
    program.find_text("read \\d+ sectors \\(4 KiB\\) at \\d+")
    program.find("Asked for by", "label")
    shot("details-disk")


def depths():
    """The chooser and the keys change what stacks become, the line above says how much is folded; search finds what is folded, opens it when typing has
    paused, or one goes there, and closes it with itself."""
    total = program.accounted()
    folded = program.find_text(r"\d+ frames? folded")[0]
    program.search("folio_wait_bit_common", r"^1 box · [\d.]+ %$")
    assert not program.says(folded)
    shot("depth-found")
    program.key("Escape")
    program.find_text(folded)
    shot("depth-functions")
    program.key("ctrl+f", "ctrl+a")
    program.type("folio_wait_bit_common")
    program.key("Return")
    program.find_text(r"^1 of 1 · [\d.]+ %$")
    until("the frame", lambda: program.says("folio_wait_bit_common"))
    shot("depth-opened")
    program.key("Escape")
    still()
    program.key("1")
    program.search("folio_wait_bit_common", r"^\d+ box(es)? · [\d.]+ %$")
    program.search("waits for child B", r"^1 box · [\d.]+ %$")
    shot("depth-waits")
    program.key("Escape")
    program.press("Everything")
    until("nothing folded", lambda: not program.says(r"frames? folded"))
    program.search("folio_wait_bit_common", r"^1 box · [\d.]+ %$")
    program.key("Escape")
    program.press("Functions")
    program.find_text(r"\d+ frames? folded")
    assert program.accounted() == total
    program.press("Everything")
    until("nothing folded", lambda: not program.says(r"frames? folded"))


def fold_mark():
    """What is folded in a box opens by a click on the mark at its end: there are fewer folded frames then."""
    program.press("Functions")
    folded = int(re.match(r"\d+", program.find_text(r"\d+ frames? folded")[0])[0])
    canvas = program.find("Flame View", "panel")
    select("waits for child B")
    program.key("f")
    still()
    _, _, width, height = program.place(canvas)
    shot("fold-marks")

    def now():
        said = program.says(r"\d+ frames? folded")
        return int(re.match(r"\d+", said[0])[0]) if said else 0

    for y in range(11, round(height), 22):  # the mark is at the right end of a box, in one of the rows
        if now() == folded:
            program.click(canvas, at=(1 - MARGIN / (1 + 2 * MARGIN) - 10 / width, y / height))
            still()
    until("something was opened", lambda: now() < folded)
    shot("fold-opened")
    program.key("ctrl+0")
    program.press("Everything")
    until("nothing folded", lambda: not program.says(r"frames? folded"))


def undo(what, happened):
    program.done_when(lambda: program.key("ctrl+z"), happened, f"undone: {what}", 20)


def hide():
    """What is hidden by the menu, by a key and by what is searched for is charged to its callers: chips say so, and take it back; so does undo."""
    total, table = program.accounted(), program.table()
    select("do_wait")
    program.key("shift+F10")
    choose_item("Hide Function “do_wait”", "h")
    program.find("Function: do_wait", "label")
    program.find_text("1 frame folded")
    program.search("do_wait", r"^1 box · [\d.]+ %$")  # shown, as it is searched for
    shot("hide-function")
    program.click(program.find("Hide Matches", "push button"))
    program.find("Matches: do_wait", "label")
    program.find_text(r"1 in folds\b")  # hidden all the same
    program.key("Escape")
    undo("the matches", lambda: not program.there("Matches: do_wait", "label"))
    program.find_text("1 frame folded")
    still()
    select("load")
    program.key("h")
    program.find("Function: load", "label")
    assert not program.there("Clear All", "push button")
    program.search("SCHED", r"^\d+ box(es)? · [\d.]+ %$")
    program.click(program.find("Hide Matches", "push button"))
    program.find("Matches: SCHED", "label")
    program.find_text(r"in folds\b")
    program.key("Escape")
    shot("hide-three")
    assert (program.accounted(), program.table()) == (total, table)
    program.press("Consolidated")
    program.find("Function: load", "label")
    shot("hide-consolidated")
    program.press("Processes")
    until("no chips", lambda: not program.there("Function: load", "label"))
    program.press("Flame")
    program.press_away(re.escape("Remove “Function: load”"))
    until("two chips", lambda: not program.there("Function: load", "label") and not program.there("Clear All", "push button"))
    program.key("space")  # the keyboard is at the next chip
    until("one chip", lambda: not program.there("Matches: SCHED", "label"))
    undo("the last rule", lambda: program.there("Matches: SCHED", "label"))
    undo("the rule before it", lambda: program.there("Function: load", "label"))
    program.find("Clear All", "push button")
    program.press_away("Clear All")  # the chips that came back may still move it
    until("no chips", lambda: not program.says("^Hidden$"))
    until("nothing folded", lambda: not program.says(r"frames? folded"))
    still()
    undo("all three", lambda: program.there("Function: load", "label"))
    undo("Processes", lambda: program.there("Processes", "panel"))  # changes of the view go back like any other
    undo("the consolidated view", lambda: program.there("Consolidated Flame View", "panel"))
    undo("the flame view", lambda: program.there("Flame View", "panel"))
    program.find("Function: load", "label")
    undo("two rules", lambda: not program.there("Matches: SCHED", "label"))
    undo("one rule", lambda: not program.there("Function: load", "label"))
    undo("no chips", lambda: not program.says("^Hidden$"))


def fit_height():
    """Rows become lower until all of them are seen, and as high as they were; each view for itself."""
    canvas = program.find("Flame View", "panel")
    for fits in True, False:
        program.click(canvas, at=(0.05, 0.5))  # nothing is there
        program.key("r")
        still()
        shot("fit-height" if fits else "fit-height-off")
        program.click(canvas, at=(0.5, 0.02))
        until("the request at the top" if fits else "a box of the middle",
              lambda: ("8:1048000" in description(canvas) or "read 4 KiB" in description(canvas)) == fits)


def wait_chain():
    """Bands over the picture: what is lit is told, a click selects it, two zoom there; the menu hides them."""
    def chain():
        return program.there("Wait chain")

    def canvas():
        return description(program.find("Flame View", "panel"))
    told = description(until("the wait chain", chain))
    assert told.split("\n") == ["A: active for 90.0 µs, of which it ran for 90.0 µs", "B: active for 120 µs, of which it ran for 110 µs",
                                "8:1048000: active for 190 µs"], told
    program.click(chain(), at=(0.5, 0.2))  # nothing is lit there in A
    until("the request is selected", lambda: "8:1048000" in canvas())
    program.click(chain(), at=(0.05, 0.2), times=2)
    until("A's first run is selected", lambda: "8:1048000" not in canvas() and "A" in canvas())
    shot("wait-chain-near")
    program.key("ctrl+0")
    for there in False, True:
        program.choose_in_menu("View", "v", "Wait Chain", "w")
        until(f"the wait chain: {there}", lambda: bool(chain()) == there)


def sub_rows():
    """A category opens by its arrow and by the keyboard, and its sub-row is chosen like it."""
    def shown_subs():
        return [r for r in program.list_rows("Explanation") if r.name.startswith("8:")]
    def category():
        return row("Waiting for disk or network")

    def open_by_arrow():
        if not shown_subs():
            program.click(next(n for n in everything(category()) if n.name == "Show details"))

    def close_by_key():
        if shown_subs():
            program.click(category(), at=(0.4, 0.4))
            program.key("Left")
    program.done_when(open_by_arrow, shown_subs, "a sub-row")
    program.done_when(close_by_key, lambda: not shown_subs(), "no sub-row")
    program.key("Right")
    sub = until("a sub-row", shown_subs)
    program.click(sub[0], at=(0.4, 0.5))
    program.find_text(r"^\d+ box(es)?(, \d+ in folds)?( · [\d.]+ %)?$")
    program.key("ctrl+l")  # the keys are there as soon as the buttons are
    until("the longest of them", lambda: re.search(r" · 18[02].µs", description(program.last("Flame View", "panel"))))
    program.find_text(r"^\d+ of \d+$")
    shot("sub-row")
    program.key("Escape")


def answer():
    """Sentences say what the time went to; a click lights it and leads to the longest stretch, until a row is chosen or Escape is pressed; the
    longest waits are there at first sight."""
    open_scenario("pass", "A (10)")
    program.find("A takes 500 µs.", "label")
    program.click(program.find("For 200 µs it reads pipe from B; meanwhile B runs for 19[0-9] µs.", "push button"))
    program.find_text("^Sleep in read|^anon_pipe_read|read")
    shot("answer")
    program.press("B runs for 19[0-9] µs.")
    until("B’s run is selected", lambda: description(program.last("Flame View", "panel")).startswith("work\n"))
    shot("answer-mention")
    program.click(row("Running, function known"), at=(0.4, 0.4))
    program.find_text(r"^\d+ box(es)?(, \d+ in folds)?( · [\d.]+ %)?$")
    shot("answer-row")
    program.press("B runs for 19[0-9] µs.")
    until("no row is chosen", lambda: not program.says(r"^\d+ box(es)?(, \d+ in folds)?( · [\d.]+ %)?$"))
    program.key("Escape")
    still()
    shot("answer-left")
    program.find("A reads pipe from B", "label")
    program.click(program.find("A waits for a CPU", "label"))
    shot("waits")
    program.key("ctrl+w")
    until("the tab to close", lambda: not program.there("A takes 500 µs.", "label"))


def time_bar():
    """The bar says what it shows; rows without time are one line that opens. One of them that is chosen says that there is nothing of it to see."""
    def shown():
        return [r.name.split(",")[0] for r in program.list_rows("Explanation")]
    bar = program.find("What time was spent on")
    assert "Running, function known: 200 µs, 50.0 %" in description(bar).split("\n"), description(bar)
    before, fold = shown(), program.find(r"\d+ more without time")
    x, y, width, height = program.place(program.find("Running, function known.*", "list item"))
    screen.move(x + width // 2, y + height // 2)
    screen.wheel(10)
    still()
    assert not any(name.startswith("Blocked in the kernel") for name in before), before
    program.click(fold, at=(0.4, 0.5))
    until("the empty rows", lambda: "Blocked in the kernel" in shown())
    still()
    screen.wheel(10)
    still()
    program.click(program.find("Blocked in the kernel.*", "list item"))
    program.find_text("^No boxes in this picture$")
    until("no steps", lambda: not program.sensitive("Longest"))
    still()
    shot("no-boxes")
    program.click(program.find("Ready, waiting for a CPU.*", "list item"))
    program.find_text(r"^\d+ box(es)?$")
    until("steps", lambda: program.sensitive("Longest"))
    program.click(fold, at=(0.4, 0.5))
    until("no empty rows", lambda: shown() == before)


def graph():
    """It comes into view where it opens, says what it shows, and a click on a step chooses the category."""
    program.click(program.find("^Cumulative$"))
    drawing = program.find("Cumulative graph")
    said = until("the graph's description", lambda: description(drawing))
    assert re.search("Up to “Running, function known”: 50.0 %", said), said
    assert re.search("Up to “Unexplained”: 100.0 %|Up to “Unexplained”: 100 %", said), said
    still()

    def pick():
        x, y, width, height = program.place(drawing)
        screen.move(x + 40 + int((width - 42) * 1.5 / 12), y + height // 2)
        screen.click()
    program.done_when(pick, lambda: row("Waiting for disk or network").selected, "the category of the step")
    shot("graph")
    assert program.there("Longest waits", "list")


def calls():
    """The call graph of the process, with what it waited for across processes, one key away; it follows the process and offers its values."""
    program.done_when(lambda: program.key("alt+4"), lambda: program.there("Call Graph"), "the call graph")
    picture = program.find("Call Graph")
    search = next(node for node in everything(program.root) if node.name == "Find functions")
    program.click(search)
    program.type("^do_wait$")
    program.find_text("^1 node$")
    program.key("Return")
    until("a wait of the process", lambda: description(picture).startswith("do_wait\n"))
    program.find("kernel_wait4", "label")
    program.find("schedule", "label")
    shot("calls")
    program.key("ctrl+a")
    program.type("^work$")
    program.key("Return")  # at once: what was typed is what is gone to
    until("what B did meanwhile", lambda: description(picture).startswith("work\n"))
    program.choose("Values", 1, lambda: description(picture) == "Nothing is selected")  # what runs does not wait
    program.find_text("^0 of 1 shown$")
    drawn = os.path.join(work, "calls.svg")
    program.choose_file("Export Picture", drawn, lambda: program.key("ctrl+shift+e"))
    until("the picture", lambda: os.path.exists(drawn))
    program.done_when(lambda: program.key("alt+2"), lambda: program.there("Flame View", "panel"), "the flame view again")


def marked_range():
    """M marks the selected box; table, consolidated view and exports are of the range until it goes."""
    whole = program.table()
    select("read 4 KiB")
    program.key("m")
    program.find("Whole Time", "push button")
    part = until("another table", lambda: program.table() != whole and program.table())
    assert part.pop("Waiting for disk or network") == ("0 ns", "0 %"), part  # what was chosen is seen: nothing of it is lit
    assert "Running, function known" not in part and len(part) == 1, part
    program.find("13 more without time", "list item")
    program.find_text(r"^[\d.]+\u00a0[µm]s – [\d.]+\u00a0[µm]s \(10.0\u00a0µs\)$")
    shot("range")
    program.key("alt+3")
    program.find_text("of the marked range")
    shot("range-consolidated")
    program.key("alt+2")
    program.key("Escape")
    whole_again_is(whole)


def whole_again_is(table):
    until("the whole again", lambda: program.there("Whole Time", "push button") is None)
    until("the table of the whole", lambda: program.table() == table)


def right_drag():
    if not screen.has_right_drags():
        return "this GTK takes a right button that moves for the middle one on Wayland, and ends the drag"
    whole = program.table()
    canvas = program.find("Flame View", "panel")
    x, y, width, height = program.place(canvas)
    screen.move(x + width // 4, y + height // 2)
    screen.press(3)
    for step in range(1, 9):
        screen.move(x + width // 4 + step * width // 32, y + height // 2)
    screen.release(3)
    program.find("Whole Time", "push button")
    program.press_away("Whole Time")
    whole_again_is(whole)


def export_table():
    path = os.path.join(work, "table.json")
    program.choose_file("Export Table", path, lambda: program.key("ctrl+shift+t"))
    until("the table", lambda: os.path.exists(path) and open(path).read().rstrip().endswith("}"))
    with open(path) as f:
        table = json.load(f)
    assert sum(c["ns"] for c in table["categories"]) == table["total_ns"] == 400000, table


def copy_table():
    program.show_head_of_panel()
    program.done_when(lambda: program.click(program.find("Table menu")), lambda: program.there("Copy as Tab-Separated Values"), "the menu", 15)
    program.find("Copy as Tab-Separated Values")
    still()
    program.key("t")
    program.find_text("The table has been copied")  # it goes after five seconds
    program.menu_gone()
    entry = program.done_when(lambda: program.key("ctrl+f"), lambda: program.there("Search names in this view"), "the search")
    still()
    program.done_when(lambda: program.key("ctrl+a", "ctrl+v"), lambda: "understood" in words_in(entry), "the table in the entry")
    program.key("ctrl+a", "Delete", "Escape")


def words_in(entry):
    return " ".join(text(n) for n in everything(entry) if n.has_text)


def export_visible():
    path = os.path.join(work, "visible.svg")
    program.click(program.find("Flame View", "panel"), at=(0.5, 0.5))
    program.key("ctrl+0", "w", "w")
    still()
    program.choose_file("Export Visible Part", path, lambda: program.choose_in_menu("Export", "e", "Visible Part…", "v"))
    until("the picture", lambda: os.path.exists(path) and "</svg>" in open(path).read())
    assert "clip-path" in open(path).read()


def colours():
    """The menu says what colours tell; exported pictures follow, with the wait chain that is shown, and undo."""
    def exported(which):
        path = os.path.join(work, which + ".svg")
        program.choose_file("Export Picture", path, lambda: program.choose_in_menu("Export", "e", "Picture…", "p"))
        until("the picture", lambda: os.path.exists(path) and "</svg>" in open(path).read())
        shot(which)
        return open(path).read()

    def legend():
        return description(program.last("Legend"))
    by_process = exported("by-process")
    program.choose_in_menu("View", "v", "By What Is Done", "o")
    by_state = exported("by-state")
    program.choose_in_menu("View", "v", "By Whose Code", "c")
    until("the legend of code", lambda: {"Program", "Kernel"} < set(legend().split("\n")) and "Sleeping: " not in legend())
    shot("by-code")
    program.choose_in_menu("View", "v", "By Module", "u")
    until("the legend of modules", lambda: {"work", "In the kernel"} < set(legend().split("\n")) and "Program" not in legend())
    shot("by-module")
    program.key("ctrl+z", "ctrl+z", "ctrl+z")
    until("the legend of processes", lambda: {"A", "B"} < set(legend().split("\n")))
    assert exported("by-process-again") == by_process
    assert "url(#state" in by_process and "url(#state" not in by_state
    assert all("<title>8:1048000 — Disk" in picture for picture in (by_process, by_state))  # of the wait chain: boxes say more


def toggles():
    """Other options analyse anew; where one is stays where it is."""
    canvas = program.find("Flame View", "panel")
    before = program.done_when(lambda: program.click(canvas, at=(0.5, 0.97)),
                               lambda: description(canvas).startswith("A\n") and description(canvas), "the lowest box")
    for shown in "with", "without":
        program.click(program.find("Merge Threads"))
        still()
        program.done_when(lambda: (program.click(canvas, at=(0.3, 0.97)), program.click(canvas, at=(0.5, 0.97))), lambda: description(canvas) == before,
                          f"the same box in the same place, {shown} merged threads")
    shot("toggles")
    program.key("ctrl+0")
    program.open_submenu("View", "v", "Wait Chain")  # a legend is in the picture, too
    program.key("g")
    program.menu_gone()
    until("no legend", lambda: not program.last("Legend"))
    undo("the legend", lambda: program.last("Legend"))


def cut_branch():
    """What was waited for is cut by the context menu, comes back by restoring, is cut again by undo, and back by undoing that."""
    canvas = program.find("Flame View", "panel")
    whole = program.table()
    select("load")
    program.key("shift+F10")
    choose_item("Cut This Branch", "b")
    program.find_text("1 branch is cut")
    cut = until("another table", lambda: program.table() != whole and program.table())
    assert cut["Unexplained"][0] == "250 µs", cut  # all of A's sleep but B's last run
    program.find_text("unexplained.*: cut by hand")
    shot("cut")
    program.click(program.find("Restore Cut Branches", "push button"))
    until("the table as before", lambda: program.table() == whole)
    program.click(canvas, at=(0.5, 0.05))
    program.key("ctrl+z")
    until("the same cut", lambda: program.table() == cut)
    program.key("ctrl+z")
    until("no cut", lambda: not program.says("1 branch is cut"))
    until("the table as before", lambda: program.table() == whole)
    program.key("ctrl+w")


def several_threads():
    """With more than one thread, there is latency, too, and what is without waiting comes first."""
    open_scenario("two-threads", "A (10)")
    program.find_text("explained without waiting for other lanes; .* with it")
    until("latency", lambda: ", latency " in name(row("Running, function known")))
    program.find("latency", "label")
    before = list(program.table())
    program.click(program.find("Largest First"))
    largest = until("another order", lambda: sorted(program.table()) == sorted(before) and list(program.table()) != before and list(program.table()))
    assert largest.index("Waiting for work shown in another lane") < largest.index("Ready, waiting for a CPU"), largest
    shot("largest-first")
    program.click(program.find("Largest First"))
    until("the order as it was", lambda: list(program.table()) == before)
    said = description(program.find("Cumulative graph"))
    assert "without waiting for other lanes" in said, said
    shot("two-threads")


def lane_in_place():
    """What a wait waits for in another lane is shown on it, too: found and counted once, until undo takes it back."""
    def above():
        select("waiting on worker")
        still()
        program.key("Up")
        still()
        return description(program.last("Flame View", "panel")).split("\n")[0]
    assert above() == "waiting on worker"
    program.find_text("^worker, in its own lane$")
    before = program.table()
    program.key("shift+F10")
    choose_item("Show the Lane It Waits For Here", "l")
    until("its lane on it", lambda: above() == "worker")
    program.find_text("^in its own lane, not here$")
    shot("lane-in-place")
    assert program.table() == before
    program.search("^worker$", r"^1 box · [\d.]+ %$")  # not two
    program.key("Escape", "ctrl+z")
    until("nothing on it", lambda: above() == "waiting on worker")


def open_crafted(which, data, process):
    path = os.path.join(work, which)
    with open(path, "wb") as f:
        f.write(data)
    program.choose_file("Open Recording or Profile", path, lambda: program.key("ctrl+o"))
    program.find(process, "push button")
    program.symbols_read()
    program.done_when(lambda: program.click(program.find(process, "push button")), lambda: program.there("Explanation", "list"),
                      "an explanation")


def sentences_fit():
    answer = program.find("The answer in words")
    _, top, _, height = answer.extents
    _, last, _, last_height = answer.children[-1].extents
    return len(answer.children) > 1 and last + last_height <= top + height


def out_of_proportion():
    """A view that would be boxes out of all proportion says so and leads on; the others stand. Nobody is asked to click a box that is not there."""
    open_crafted("stacks", crafted.stacks(20000), r"a \(1\)")
    until("the table", program.table)
    program.find_text("^Too Much to Draw$")
    assert not program.says("^Click a box")
    until("room for all of its sentences", sentences_fit)
    shot("too-much-to-draw")
    program.press("Consolidated Flame View")
    program.find("Consolidated Flame View", "panel")
    program.find_text("^Click a box")
    shot("consolidated-of-it")
    program.key("ctrl+w")

    open_crafted("nested", crafted.nested(2600), r"t10 \(10\)")
    program.find("Flame View", "panel")
    program.key("alt+3")
    program.press("Inverted")
    program.find_text("^Too Much to Turn Over$")
    shot("too-much-to-turn-over")
    until("the table", program.table)
    program.press("Outermost Functions First")
    program.find("Consolidated Flame View", "panel")
    program.key("ctrl+w")


def unreadable():
    """A file that cannot be opened has no process whose name could be clicked."""
    path = os.path.join(work, "unreadable.perf")
    with open(path, "wb") as f:
        f.write(b"PERFILE2" + bytes(8))
    program.choose_file("Open Recording or Profile", path, lambda: program.key("ctrl+o"))
    program.find("Try Again", "push button")
    still()
    assert not program.says("^Click ")
    shot("unreadable")
    program.key("ctrl+w")


def small_window():
    """In a small window the picture has the room: the side panel shows when asked for, and comes back with the room."""
    def size():
        return screen.geometry(program.window)[2]

    def panel():
        return program.there("Longest", "push button")

    def resized(width, done):
        screen.resize(program.window, width, 560)
        return done()
    until("the panel of the tab before", panel)
    until("a small window without the panel", lambda: resized(600, lambda: not panel() and size() <= 680))
    shot("small")
    program.find("Record", "push button")
    program.key("F9")
    until("the panel", panel)
    program.key("F9")
    until("no panel", lambda: not panel())
    until("a large window with the panel", lambda: resized(1300, lambda: size() >= 1200 and panel()))
    program.find("Flame View", "panel")
    program.quit()


steps = [banner, disk_details, depths, fold_mark, fit_height, wait_chain, hide, sub_rows, answer, time_bar, graph, calls, marked_range, right_drag, export_table, copy_table, export_visible, colours, toggles,
         cut_branch, several_threads, lane_in_place, out_of_proportion, unreadable, small_window]
failed = run_steps(steps, start, shot)
if program:
    program.end()
shutil.rmtree(work, ignore_errors=True)
sys.exit(failed)
