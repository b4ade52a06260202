#!/usr/bin/python3
"""Makes the pictures of the help anew: the window with the bundled sample, view by view, cut out and with few colours, so that they stay small.

usage: ninja -C _build help-pictures — or: pictures.py WAKEPATH SAMPLE FOLDER CLI, under tests/xrun -w openbox
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tests", "gui"))
from desktop import Program, screen, still, until  # noqa: E402

wakepath, sample, folder, cli = map(os.path.abspath, sys.argv[1:5])
WIDTH = 680  # as wide as a page of the help
COLORS = 64
work = tempfile.mkdtemp(prefix="wakepath-pictures.")
program = None


def picture(name, place):
    """Of a part of the screen."""
    still()
    whole = os.path.join(work, "screen.png")
    program.screenshot(whole)
    x, y, width, height = place
    subprocess.run(["convert", whole, "-crop", f"{width}x{height}+{x}+{y}", "+repage", "-resize", f"{WIDTH}x>", "+dither", "-colors", str(COLORS),
                    "-depth", "8", "-strip", "-define", "png:compression-level=9", "PNG8:" + os.path.join(folder, name + ".png")], check=True)


def view(name, happened):
    program.done_when(lambda: program.click(program.last(name, "push button")), happened, f"the view {name}")
    screen.move(2, 2)
    still()


def profile(path, commit, amounts):
    """Of milliseconds by stack, outermost function first."""
    resources = [{"type": "time", "subtype": "run", "amount": amount, "uid": stack.split(";")[-1],
                  "trace": [{"function": f, "source": "shop.c", "line": 1} for f in reversed(stack.split(";"))]} for stack, amount in amounts.items()]
    with open(path, "w") as file:
        json.dump({"origin": commit, "header": {"type": "time", "cmd": "./shop", "args": "--orders 200", "workload": "", "units": {"time": "ms"}},
                   "collector_info": {"name": "time", "params": {}}, "postprocessors": [], "global": {"resources": resources}}, file)


def make_store(path):
    """A repository with a store: commits of the last days, most of them with four profiles; the last one is slower."""
    def run(*command, **more):
        return subprocess.run(command, cwd=path, check=True, capture_output=True, text=True, env={**os.environ, **more}).stdout.strip()
    os.mkdir(path)
    run("git", "init", "-q", "-b", "main")
    run(cli, "init")
    for day, (subject, typical) in enumerate((("Begin", 0), ("Read orders from a file", 118), ("Print totals", 0), ("Keep prices in memory", 96),
                                              ("Tests of totals", 0), ("Ask a server", 141))):
        when = f"{int(time.time()) - (6 - day) * 86400} +0000"
        run("git", "-c", "user.name=Ada Lovelace", "-c", "user.email=ada@example.org", "commit", "-q", "--allow-empty", "-m", subject,
            GIT_AUTHOR_DATE=when, GIT_COMMITTER_DATE=when)
        commit = run("git", "rev-parse", "HEAD")
        for repeat in range(4 if typical else 0):
            one = os.path.join(work, f"shop-{day}-{repeat}.perf")
            profile(one, commit, {"main": typical + (0, 3, 1, 5)[repeat]})
            run(cli, "add", "-m", commit, one)


def store():
    """The page of the side panel, with the repeats of one commit opened."""
    global program
    repository = os.path.join(work, "shop")
    make_store(repository)
    os.chdir(repository)
    program = Program([wakepath], "wakepath")
    row = program.find("Ask a server.*")
    screen.move(2, 2)
    still()
    left, top, width, height = screen.geometry(program.window)
    x = program.place(row)[0]
    picture("store", (x - 6, top + 52, left + width - x, height * 2 // 3))
    program.done_when(lambda: program.click(program.find("History", "push button")), lambda: program.says("^Click a point to see its commit"), "the plot")
    program.key("F9")  # all of the width
    screen.move(2, 2)
    picture("history", (left, top, width, height))
    program.end()


def comparison():
    """Two runs of which the second one is slower."""
    global program
    before, after = os.path.join(work, "before.perf"), os.path.join(work, "after.perf")
    common = {"main;read_orders;parse": 21, "main;print_totals;write": 14}
    profile(before, "", {**common, "main;find_prices;sort": 38, "main;find_prices;load": 23})
    profile(after, "", {**common, "main;find_prices;sort": 39, "main;find_prices;ask_server;wait": 67})
    program = Program([wakepath, after], "wakepath")
    program.find("Flame Graph", "panel")
    program.compare_with(before)
    program.find_text("^Slower: ")
    program.done_when(lambda: program.click(program.last("Flame Views")), lambda: program.there("Flame View of A", "panel"), "both flame views")
    program.key("F9")  # all of the width
    screen.move(2, 2)
    left, top, width, height = screen.geometry(program.window)
    picture("compare", (left, top, width, height * 2 // 3))
    program.end()


def main():
    global program
    shop = os.path.join(work, "shop.perf")  # another name: who opens the sample is shown around
    shutil.copy(sample, shop)
    os.environ["PWD"] = "/usr/src"  # the folder that the dialog offers: none of this machine's own
    program = Program([wakepath, shop], "wakepath")
    program.find("Flame View", "panel")
    until("an explanation", program.table)
    screen.move(2, 2)
    left, top, width, height = screen.geometry(program.window)
    panel = program.place(program.find("Explanation", "list"))
    picture("flame", (left, top, width, height * 2 // 3))
    picture("explanation", (panel[0] + 6, top + 52, left + width - panel[0] - 14, height - 62))
    view("Processes", lambda: program.there("Processes", "panel"))
    picture("processes", (left, top, panel[0] - left - 12, height // 2))
    view("Consolidated", lambda: program.there("Consolidated Flame View", "panel"))
    picture("consolidated", (left, top, panel[0] - left - 12, height * 2 // 3))
    view("Calls", lambda: program.there("Call Graph"))
    picture("calls", (left, top, panel[0] - left - 12, height * 2 // 3))
    view("System", lambda: program.says("^Label as root"))
    picture("system", (left, top, panel[0] - left - 12, height * 2 // 3))
    program.done_when(lambda: program.key("ctrl+r"), lambda: program.has_top_level("^Record$"), "the dialog")
    dialog = program.top_level("^Record$")
    program.key("ctrl+a")
    program.type("make -j2")
    picture("record", screen.geometry(dialog))
    program.key("Escape")
    program.end()
    store()
    comparison()


try:
    main()
finally:
    shutil.rmtree(work, ignore_errors=True)
