#!/usr/bin/python3
"""The history of a figure in the window: by keyboard from point to point, commits selected, two compared, another figure, what is exported.
What is plotted, picked and saved is tested without a display (tests/unit/test-workspace-history.c).

usage: test-history.py WAKEPATH SCREENSHOTS CLI MAKE-REPOSITORY — under tests/xrun -w openbox or tests/wlrun. Prints TAP.
WAKEPATH: the program; CLI: wakepath-cli; MAKE-REPOSITORY: makes repositories; SCREENSHOTS: a folder.
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from desktop import Program, description, everything, run_steps, take_shot, until  # noqa: E402

wakepath, pictures, cli, make_repository = map(os.path.abspath, sys.argv[1:5])
os.makedirs(pictures, exist_ok=True)
work = tempfile.mkdtemp(prefix="wakepath-history.")
repository = os.path.join(work, "project")
commits = []
program = None

COMMITS, REPEATS, SLOW = 150, 4, 148  # the last commit with profiles is slower


def shot(which):
    if program:
        take_shot(program, pictures, which)


def run(*command):
    return subprocess.run(command, cwd=repository, check=True, capture_output=True, text=True).stdout


def profile(path, commit, command, amounts):
    resources = [{"type": "time", "subtype": "run", "amount": amount, "uid": stack.split(";")[-1],
                  "trace": [{"function": f, "source": "/src/work.c", "line": 1} for f in reversed(stack.split(";"))]}
                 for stack, amount in amounts.items()]
    with open(path, "w") as f:
        json.dump({"origin": commit, "header": {"type": "time", "cmd": command, "args": "", "workload": "", "units": {"time": "ms"}},
                   "collector_info": {"name": "hand", "params": {}}, "postprocessors": [], "global": {"resources": resources}}, f)


def register(number, command, repeat, amounts):
    path = os.path.join(work, f"{command.strip('./')}-{number}-{repeat}.perf")
    profile(path, commits[number], command, amounts)
    run(cli, "add", "-m", commits[number], path)


def start():
    global program
    subprocess.run([make_repository, repository, str(COMMITS)], check=True, stdout=subprocess.DEVNULL)
    run(cli, "init")
    commits.extend([json.loads(line)["commit"] for line in reversed(
        "".join(run(cli, "log", "--format", "json").split("\n")).replace("}{", "}\n{").splitlines())])
    assert len(commits) == COMMITS, commits
    for number in (0, 10, 148):
        for repeat in range(REPEATS):
            register(number, "./work", repeat, {"main;parse": 40 + repeat, "main;sort": 70 if number >= SLOW else 30})
    register(10, "./other", 0, {"main;run": 500})
    program = Program([wakepath], "wakepath")


def plot():
    program.choose_file("Choose Folder", repository, lambda: program.click(program.find("Choose folder", "push button")))
    program.find("Change number 149, HEAD.*")
    program.click(program.find("History", "push button"))
    chart = program.find("History", "image")
    until("a plot of the total", lambda: description(chart) == "Total")
    program.find_text("Click a point to see its commit")
    shot("total")


def chart():
    return program.find("History", "image")


def first_point():
    """From a click into the empty plot on; a click that closes a list is lost, and so is a key that comes too early."""
    def ask():
        program.click(chart(), at=(0.9, 0.05))
        program.key("Home")
    program.done_when(ask, lambda: "\n" in description(chart()), "the first point", 1)


def said(pattern):
    try:
        return until(f"the chart to say {pattern}", lambda: re.search(pattern, description(chart())))
    except AssertionError as problem:
        raise AssertionError(f"{problem}; it says {description(chart())!r}") from None


def figures_listed():
    """The list of figures shows their names whole."""
    def is_open():
        return program.there("Ended by an unexplained interrupt", "label")
    program.done_when(lambda: program.click(program.find("Figure", "combo box")), is_open, "the list of figures", 5)
    shot("figures")
    program.done_when(lambda: program.key("Escape", "Escape"), lambda: not is_open(), "the list to close", 3)  # the first empties its search


def choose_command():
    """Those of ./other are another line: without them the plot has the three medians of ./work."""
    def chosen():
        shown = next(node.name for node in everything(program.find("Command", "combo box")) if node.role == "label")
        return shown == "./work"
    program.choose("Command", 1, chosen)
    first_point()


def keyboard():
    said(rf"^{commits[0][:7]} · .*\nBegin\n\./work: 71\.5 ms, median of 4 profiles, 70\.0 ms … 73\.0 ms$")
    program.key("Right", "Return")
    said(rf"^{commits[10][:7]} ")


def far_commit():
    """The commit is beyond those that the list has read."""
    program.find("Change number 10, .*", limit=20)
    shot("picked")


def compare():
    program.key("Right")
    said(rf"^{commits[148][:7]} ")
    program.key("shift+Return")
    shot("two-picked")
    program.click(until("it to be possible", lambda: buttons("Compare"))[0])
    program.find_text(r"^Slower: \+40\.0 ms \(\+55\.9 %\)$")
    program.find_text(r"^Degradation: Total \+55\.9 %")
    program.find_text(r"Mann–Whitney U test, two-sided, exact: p = 0\.029")
    program.find_text(r"^Change number 10 · 4 profiles$")
    program.find("Change number 10 · 4 profiles → Change number 148 · 4 profiles", "label")  # the tab
    shot("compared")
    program.key("ctrl+w")


def buttons(label):
    """Those that can be pressed, from left to right."""
    found = [node for node in everything(program.root) if node.name == label and node.role == "push button" and node.sensitive]
    return sorted(found, key=lambda node: program.place(node)[0])


def repeats():
    """Repeats of a command are one row of the store's list, which opens to the single runs; the commit that is slower than the one before it that
    has profiles says so."""
    entry = program.find("Filter commits and profiles")
    program.click(entry)
    program.type("number 148")
    program.find("Change number 148, 56 % slower, .*, 4 profiles")
    program.find(r"\./work, 4 runs · 11[12] ms, 110 ms … 113 ms · time · hand, .*")
    assert program.there("Run 1, .*") is None
    shot("repeats")
    program.done_when(lambda: program.click(program.find(r"\./work, 4 runs.*"), at=(0.4, 0.5)), lambda: program.find(r"\./work, 4 runs.*").parent.selected,
                      "the repeats to be selected")
    program.done_when(lambda: program.key("Right"), lambda: program.there(r"Run 4, 11\d ms, time · hand, .*"), "the single runs")
    shot("single-runs")
    program.key("Left")
    until("the single runs to go", lambda: program.there("Run 4, .*") is None)

    def clear():
        program.click(entry)
        program.key("ctrl+a", "BackSpace")
    program.done_when(clear, lambda: program.there("(?!.*148)Change number .*"), "all commits again")


def function():
    program.choose("Figure", 17, lambda: program.there("Which One\\?", "label"))  # the last one

    def name_it():
        program.click(program.find("Name of the function or field"))
        program.key("ctrl+a")
        program.type("sort")
    program.done_when(name_it, lambda: "sort itself" in description(chart()), "a plot of the function", 10)
    program.find_text("Click a point to see its commit")  # all profiles have been read
    first_point()
    program.key("Right", "Right")
    said(r"\./work: 70\.0 ms, median of 4")
    shot("function")


def export():
    """The same numbers as the command line has."""
    table = os.path.join(work, "history.csv")
    program.choose_file("Export History", table, lambda: program.click(program.find("Export…", "push button")))
    until("a table", lambda: os.path.exists(table))
    with open(table) as f:
        assert f.read() == run(cli, "log", "--history", "self:sort", "--run", "./work", "--format", "csv")


def close():
    program.key("ctrl+w")
    program.quit()


failed = run_steps([plot, choose_command, keyboard, far_commit, compare, repeats, function, figures_listed, export, close], start, shot)
if program:
    program.end()
shutil.rmtree(work, ignore_errors=True)
sys.exit(failed)
