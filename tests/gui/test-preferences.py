#!/usr/bin/python3
"""The preferences by mouse and keyboard: each is set, and what it is for is looked at in the windows that are open, or in those that open next.

usage: test-preferences.py WAKEPATH SCREENSHOTS SAMPLE RECORDING — under tests/xrun -w openbox or tests/wlrun. Prints TAP.
WAKEPATH: the program; SCREENSHOTS: a folder; SAMPLE: a saved profile; RECORDING: text of one.
"""
import json
import os
import re
import shutil
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from desktop import Program, everything, run_steps, screen, still, take_shot, text, until  # noqa: E402

wakepath, pictures, sample, recording = map(os.path.abspath, sys.argv[1:5])
os.makedirs(pictures, exist_ok=True)
work = tempfile.mkdtemp(prefix="wakepath-preferences.")
before, after = os.path.join(work, "before.perf"), os.path.join(work, "after.perf")
opened = os.path.join(work, "cache", "wakepath", "opened")
fetched, sources = os.path.join(work, "fetched"), os.path.join(work, "sources")
program = None


def shot(which):
    if program:
        take_shot(program, pictures, which)


def profile(path, amount):
    with open(path, "w") as file:
        json.dump({"header": {"type": "time", "cmd": "./work", "args": "", "workload": "", "units": {"time": "ms"}},
                   "collector_info": {"name": "hand", "params": {}},
                   "global": {"resources": [{"type": "time", "subtype": "run", "amount": amount, "uid": "main", "trace": []}]}}, file)


def start():
    global program
    profile(before, 100)
    profile(after, 120)
    os.makedirs(os.path.join(fetched, "00ff"))
    os.mkdir(sources)
    with open(os.path.join(fetched, "00ff", "debuginfo"), "wb") as file:
        file.write(bytes(2000))
    os.environ.update(XDG_CACHE_HOME=os.path.join(work, "cache"), WAKEPATH_SIDECARS="all", DEBUGINFOD_CACHE_PATH=fetched, DEBUGINFOD_URLS="http://127.0.0.1:9/")
    program = Program([wakepath, sample], "wakepath")
    program.find("Flame View", "panel")


def preferences(page):
    """Brought to the front, with a page of it; gives its X window."""
    if not program.has_top_level("Preferences"):
        program.done_when(lambda: program.key("ctrl+comma"), lambda: program.has_top_level("Preferences"), "the preferences")
    window = program.top_level("Preferences")
    still()
    switch = until(f"the page {page}", lambda: [node for node in everything(program.root) if node.name == page and node.extents and node.role != "label"])[-1]
    program.click(switch, window)
    still()
    return window


def close_preferences():
    def close():
        program.top_level("Preferences")
        program.key("Escape")
    program.done_when(close, lambda: not program.has_top_level("Preferences"), "the preferences to close", 3)
    screen.activate(program.window)
    still()


def choose(page, row, which, chosen):
    """By the keyboard: the row of this number in the list of a choice."""
    window = preferences(page)

    def labels():
        """Those of a list that is open, too."""
        box = program.last(row, "combo box")
        return [node.name for node in everything(box) if node.role == "label"] if box else []
    closed = len(until("the row", labels))
    program.choose(row, which, lambda: len(now := labels()) <= closed and chosen in now, window)


def wheel():
    """Where the wheel scrolls, it zooms with Ctrl held."""
    choose("Pictures", "Mouse wheel", 1, "Scrolls; zooms with Ctrl")
    shot("pictures")
    close_preferences()
    canvas = program.find("Flame View", "panel")

    def zoom():
        x, y, width, height = program.place(canvas)
        screen.move(x + width // 2, y + height // 2)
        with screen.held("ctrl"):
            screen.wheel(-3)
    program.done_when(zoom, lambda: program.sensitive("Back"), "the picture to be zoomed")
    program.key("ctrl+0")


def colors_of(node):
    """What is painted there, and how often."""
    x, y, width, height = program.place(node)
    still()
    said = screen.convert((x, y, width, height), "-format", "%c", "histogram:info:-").decode()
    return {match[2]: int(match[1]) for match in re.finditer(r"(\d+): \([^)]*\) (#[0-9A-F]+)", said)}


def colors():
    """The picture that is open changes its colours at once."""
    canvas = program.find("Flame View", "panel")
    by_process = colors_of(canvas)
    choose("Pictures", "Colours of flame views", 1, "By what is done: runs, sleeps, waits")
    close_preferences()
    by_state = until("other colours", lambda: (lambda now: now if set(now) != set(by_process) else None)(colors_of(canvas)))
    common = sum(min(by_process.get(color, 0), n) for color, n in by_state.items())
    assert common < 0.9 * sum(by_state.values()), "more than a few pixels have another colour"
    shot("by-state")


def depth():
    """What opens next opens so deep."""
    choose("Pictures", "Depth", 0, "Waits")
    close_preferences()
    program.key("ctrl+w")
    program.choose_file("Open Recording or Profile", sample, lambda: program.key("ctrl+o"))
    program.find("Flame View", "panel")
    until("the depth Waits", lambda: (program.last("Waits", "push button") or program.find("Waits")).pressed)


def threshold():
    """A comparison that is open says another thing at once."""
    program.choose_file("Open Recording or Profile", after, lambda: program.key("ctrl+o"))
    program.find("Flame Graph|Bars|Figures")
    program.compare_with(before)
    program.find_text(r"^Slower: \+20\.0 ms \(\+20\.0 %\)$")
    window = preferences("Comparing")
    set_number("Smallest change that counts, in per cent", "50", window)
    shot("comparing")
    close_preferences()
    program.find_text(r"^About the same: \+20\.0 ms \(\+20\.0 %\)$")


def number_of(title):
    """The text within a button for numbers."""
    def ask():
        row = program.last(title, "list item")
        return row and next((node for node in everything(row) if re.fullmatch(r"[\d.]+", text(node))), None)
    return until(f"the number of {title}", ask)


def set_number(title, number, window):
    program.click(number_of(title), window)
    program.key("ctrl+a")
    program.type(number + "\t")
    until(f"{title}: {number}", lambda: float(text(number_of(title))) == float(number))


def recorder():
    """The dialog that opens next has what is set here."""
    choose("Recording", "Stacks", 2, "From copies of stacks")
    shot("recording")
    close_preferences()
    program.key("ctrl+r")
    program.top_level("Record")
    program.find("From copies of stacks", "label")
    shot("record-dialog")
    program.done_when(lambda: program.key("Escape"), lambda: not program.has_top_level("Record"), "the dialog to close", 3)
    screen.activate(program.window)


def cache():
    """What was fetched is counted, and goes when it is cleared."""
    preferences("Sources")
    program.find_text(r"^1 file, 2\.0.kB$")
    program.find_text(r"^Asks http://127\.0\.0\.1:9/$")
    shot("sources")
    program.press("Clear")
    program.find_text("^Nothing is kept$")
    assert os.listdir(fetched) == [], os.listdir(fetched)


def kept():
    """What is kept of recordings."""
    return [name for name in os.listdir(opened) if name[0] != "."] if os.path.isdir(opened) else []


def open_recording():
    program.choose_file("Open Recording or Profile", recording, lambda: program.key("ctrl+o"))
    program.find("Processes", "panel")


def opening():
    """A recording is kept once it is open, opens from what is kept, and is not kept where nobody wants that."""
    close_preferences()
    open_recording()
    name, = until("it to be kept", kept)
    os.utime(os.path.join(opened, name), (1, 1))
    program.key("ctrl+w")
    open_recording()
    until("what is kept to be used", lambda: os.stat(os.path.join(opened, name)).st_mtime > 1)
    program.key("ctrl+w")
    window = preferences("Opening")
    program.find_text(r"^1 file, [\d.]+.[kM]B$")
    shot("opening")
    program.press("Clear")
    program.find_text("^Nothing is kept$")
    assert kept() == [], kept()

    def row():
        return program.find("Keep what was read of large recordings", "list item")

    def is_on():
        return any(node.checked or node.pressed for node in everything(row()))
    program.done_when(lambda: program.click(row(), window, at=(0.3, 0.5)), lambda: not is_on(), "it to be off", 3)
    close_preferences()
    open_recording()
    still()
    program.key("ctrl+w")
    assert kept() == [], kept()


def fetching():
    """It is kept that nothing is fetched."""
    def row():
        return program.find("Fetch what is not on this machine", "list item")

    def is_on():
        return any(node.checked or node.pressed for node in everything(row()))
    window = preferences("Sources")
    until("it to be on", is_on)
    program.done_when(lambda: program.click(row(), window, at=(0.3, 0.5)), lambda: not is_on(), "it to be off", 3)
    close_preferences()
    preferences("Sources")
    assert not is_on()


def folders():
    """One is added, listed and forgotten."""
    program.choose_file("Folder With Sources", sources, lambda: program.press("Add Folder…"))
    window = program.top_level("Preferences")
    program.find(re.escape(sources), "label")
    shot("folders")
    program.press("Forget " + re.escape(sources))
    until("the folder to go", lambda: program.there(re.escape(sources), "label") is None)
    assert window
    close_preferences()


def close():
    program.quit()


failed = run_steps([wheel, colors, depth, threshold, recorder, cache, opening, fetching, folders, close], start, shot)
if program:
    program.end()
shutil.rmtree(work, ignore_errors=True)
sys.exit(failed)
