#!/usr/bin/python3
"""Profiling commits in the window: which ones (a selection, a range, a branch), what is built and run, progress, stop, go on; why a commit failed; and
that the user's work tree, index and branches stay as they are, byte for byte.

usage: test-range.py WAKEPATH SCREENSHOTS CLI — under tests/xrun -w openbox or tests/wlrun, where recording is allowed. Prints TAP.
"""
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from desktop import Program, everything, run_steps, screen, take_shot, text, until  # noqa: E402

wakepath, pictures, cli = map(os.path.abspath, sys.argv[1:4])
os.makedirs(pictures, exist_ok=True)
work = tempfile.mkdtemp(prefix="wakepath-range-test.")
repository = os.path.join(work, "project")
COMMITS = [("begins", "sleep 0.02"), ("does not build", None), ("fails when run", "exit 3"), ("sleeps longer", "sleep 0.05"), ("the newest", "sleep 0.01")]
program = None
before = None


def shot(which):
    take_shot(program, pictures, which)


def git(*arguments):
    command = ["git", "-C", repository, "-c", "user.name=A", "-c", "user.email=a@b", *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def make():
    """A script that is built by copying it; the work tree has changes of every sort."""
    os.mkdir(repository)
    git("init", "-q", "-b", "main")
    for subject, line in COMMITS:
        with open(os.path.join(repository, "program.in"), "w") as f:
            f.write(f"#!/bin/sh\n# {subject}\n{line}\n")
        with open(os.path.join(repository, "build"), "w") as f:
            f.write("#!/bin/sh\ncp program.in program && chmod +x program\n" if line else "#!/bin/sh\necho nothing to build >&2; exit 1\n")
        os.chmod(os.path.join(repository, "build"), 0o755)
        git("add", ".")
        git("commit", "-q", "-m", subject)
    git("branch", "older", "main~3")
    with open(os.path.join(repository, "program.in"), "a") as f:
        f.write("# not committed\n")
    with open(os.path.join(repository, "staged"), "w") as f:
        f.write("staged\n")
    git("add", "staged")
    with open(os.path.join(repository, "untracked"), "w") as f:
        f.write("untracked\n")


def state():
    """Every byte of the work tree, the index, and all that the repository names, but for the store's own folder."""
    found = {}
    for folder, folders, files in os.walk(repository):
        if folder == repository:
            folders[:] = [each for each in folders if each not in (".perun", ".git")]
        for each in files:
            with open(os.path.join(folder, each), "rb") as f:
                found[os.path.relpath(os.path.join(folder, each), repository)] = f.read()
    with open(os.path.join(repository, ".git", "index"), "rb") as f:
        found["index"] = f.read()
    found["refs"] = git("for-each-ref") + git("rev-parse", "HEAD") + git("worktree", "list") + git("stash", "list")
    return found


def start():
    global program
    make()
    program = Program([wakepath], "wakepath")


def dialog():
    """Brought to the front; its X window."""
    window = program.top_level("Profile Commits")
    until("it to have the keyboard", lambda: screen.is_active(window))
    return window


STATES = ("Registered", "Profiled before", "Failed", "Building", "Recording", "Explaining", "Checking out", "Stopped")


def states():
    """Of the dialog's commits: subject → state, or nothing."""
    found = {}
    for row in program.list_rows("Commits"):
        labels = [node.name for node in everything(row) if node.role == "label"]
        if labels:
            found[labels[0]] = next((label for label in labels if label in STATES), "")
    return found


def listed(commits):
    """Rows are laid out after they are summed up."""
    until(f"the commits {commits}", lambda: list(states()) == commits)


def told_of(wanted):
    until(f"what is told of commits: {wanted}", lambda: list(states().values()) == wanted)


def choose(which, summary):
    """The row of this number in what can be chosen."""
    program.choose("Commits", which, lambda: program.says(summary), dialog())


def fill(entry, words):
    program.click(program.find(entry, "text"), dialog())
    program.key("ctrl+a", "BackSpace")
    program.type(words)


def begin(button="Start"):
    until(f"{button} to be possible", lambda: program.there(button, "push button") and program.sensitive(button))
    program.press(button)


# --- the steps, in order ---

def selected_commits():
    global before
    program.choose_file("Choose Folder", repository, lambda: program.click(program.find("Choose folder", "push button")))
    program.press_away("Create Store")
    before = state()
    program.click(program.find("the newest, HEAD, .*"))
    with screen.held("shift"):
        program.click(program.find("sleeps longer, .*"))
    program.from_menu("Profile Commits…", "p", lambda: program.has_top_level("Profile Commits"), "the dialog")
    program.find_text("^2 commits$")
    dialog()
    listed(["sleeps longer", "the newest"])
    assert not program.sensitive("Start"), "there is no command yet"
    shot("selected")


def range_of_commits():
    choose(1, "No commits are chosen")
    fill("From..to, or names of commits", "older..main")
    program.find_text("^3 commits$")
    listed(["fails when run", "sleeps longer", "the newest"])
    fill("From..to, or names of commits", "older..nowhere")
    program.find_text("nowhere")
    assert not program.sensitive("Start")
    listed([])
    shot("no-such-commit")


def branch():
    choose(3, "^2 commits$")
    listed(["begins", "does not build"])
    choose(2, "^5 commits$")
    listed([subject for subject, _ in COMMITS])


def repeats():
    """Four of each commit are offered, with which one can tell a change from noise; here one will do."""
    def entry():
        """The text within the button."""
        near = [node for node in everything(program.root) if "Profiles of each commit" in (node.name, node.parent.name if node.parent else "")]
        return next(node for node in near if text(node).isdigit())
    assert text(entry()) == "4", text(entry())
    program.click(entry(), dialog())
    program.key("ctrl+a")
    program.type("1\t")
    until("one profile of each commit", lambda: text(entry()) == "1")


def run_all():
    fill("Build", "./build")
    fill("Command to record", "./program")
    begin()
    program.find("Building|Recording|Explaining", "label")
    shot("under-way")
    program.find_text("^5 of 5 commits: 3 registered, 0 profiled before, 2 failed$", 60)
    told_of(["Registered", "Failed", "Failed", "Registered", "Registered"])
    shot("over")


def seen_in_the_list():
    program.find("the newest, HEAD, .*1 profile")
    program.find("begins, .*1 profile")
    assert program.there("does not build, .*profile") is None
    program.find(r"\./program, .*")


def log_of_a_failure():
    program.press("Log")
    program.top_level("Log of [0-9a-f]*")
    log = program.find("Log", "text")
    until("what the build said", lambda: "nothing to build" in text(log))
    shot("log")
    place = program.place(log, screen.titled("Log of [0-9a-f]*")[-1])
    assert int(screen.convert(place, "-format", "%k", "info:")) > 1  # colours: it is in sight
    program.key("Escape")
    until("the log to close", lambda: program.there("Log", "text") is None)


def kept(folder):
    """Of a store: of each commit what its profiles were run as, and its log without what differs from run to run."""
    profiles, logs = {}, {}
    for commit in git("rev-list", "main").split():
        told = subprocess.run([cli, "status", "-m", commit, "--format", "json"], cwd=folder, check=True, capture_output=True, text=True)
        profiles[commit] = [(each["type"], each["cmd"], each["args"], each["collector"]) for each in json.loads(told.stdout)["registered"]]
        path = os.path.join(folder, ".perun", "logs", commit + "-range.log")
        if os.path.exists(path):
            with open(path) as f:
                logs[commit] = re.sub(r"/\S+", "PATH", f.read())
    return profiles, logs


def as_the_command_line():
    """wakepath-cli range, on a clone, registers profiles of the same commits and keeps the same logs."""
    clone = os.path.join(work, "clone")
    subprocess.run(["git", "clone", "-q", repository, clone], check=True, capture_output=True)
    subprocess.run([cli, "init"], cwd=clone, check=True, capture_output=True)
    commits = git("rev-list", "--reverse", "main").split()
    ran = subprocess.run([cli, "range", "--build", "./build", *commits, "--", "./program"], cwd=clone, capture_output=True, text=True)
    assert ran.returncode == 1, ran
    ours, theirs = kept(repository), kept(clone)
    assert ours[0] == theirs[0] and sum(map(len, ours[0].values())) == 3, (ours[0], theirs[0])
    assert ours[1] == theirs[1] and len(ours[1]) >= 2, (ours[1], theirs[1])


def many_commits():
    """More than widgets are made for; they are told in a moment."""
    text = "".join(f"commit refs/heads/long\ncommitter A <a@b> {1700000000 + i} +0000\ndata 5\nn{i:04d}\n"
                   + ("from refs/heads/main\n" if i == 0 else "") + "\n" for i in range(1200))
    subprocess.run(["git", "-C", repository, "fast-import", "--quiet"], input=text, text=True, check=True, capture_output=True)
    fill("From..to, or names of commits", "main..long")
    program.find_text("^1200 commits$")
    until("the first of them", lambda: list(states())[:2] == ["n0000", "n0001"])
    shot("many")
    git("branch", "-D", "long")


def untouched():
    after = state()
    changed = [each for each in before if after.get(each) != before[each]] + [each for each in after if each not in before]
    assert not changed, changed


def folders_at_work():
    return glob.glob(os.path.join(os.environ["XDG_CACHE_HOME"], "wakepath", "ranges", "*"))


def set_again(on):
    """A switch is on when it has moved there."""
    def switch():
        return program.find("Again", "check box")
    program.done_when(lambda: switch().checked == on or program.click(switch(), dialog()), lambda: switch().checked == on, "Again", 10)


def stopped():
    fill("Build", "touch begun; sleep 60")
    set_again(True)
    begin("Continue")
    program.find("Building", "label")
    program.press("Stop")
    program.find("Continue", "push button")
    told_of(["Stopped"] + [""] * 4)
    shot("stopped")
    untouched()
    assert not folders_at_work(), folders_at_work()


def continued():
    """What is registered is passed over, what failed is tried again."""
    fill("Build", "./build")
    set_again(False)
    begin("Continue")
    program.find_text("^5 of 5 commits: 0 registered, 3 profiled before, 2 failed$", 60)
    told_of(["Profiled before", "Failed", "Failed", "Profiled before", "Profiled before"])
    untouched()


def closed_under_way():
    fill("Build", "sleep 60")
    begin("Continue")
    program.find("Building", "label")
    assert len(folders_at_work()) == 1, folders_at_work()
    screen.activate(program.window)
    program.done_when(lambda: program.key("ctrl+q"), lambda: program.there("Stop Profiling Commits\?", "label"), "the question, whoever closes the window")
    shot("asked")
    program.press("_?Go _?On.*")
    until("the question to go", lambda: not program.there("Stop Profiling Commits\?", "label"))
    assert len(folders_at_work()) == 1 and program.process.poll() is None
    dialog()
    program.done_when(lambda: program.key("Escape"), lambda: program.there("Stop Profiling Commits\?", "label"), "the question")
    program.press("_?Stop and Close.*")
    until("the dialog to go", lambda: program.there("Command to record", "text") is None)
    until("its folder to go", lambda: not folders_at_work())
    untouched()
    program.find("the newest, HEAD, .*1 profile")


SETTINGS = """
cmds: [./program]
workloads: [1, 2]
postprocessors:
  - name: filter
"""


def open_for_the_newest():
    program.click(program.find("the newest, HEAD, .*"))
    program.from_menu("Profile Commits…", "p", lambda: program.has_top_level("Profile Commits"), "the dialog")
    program.find_text("^1 commit$")
    dialog()


def of_the_matrix():
    """What the newest commit's profiles of the job matrix were run as, and what was done to them."""
    told = subprocess.run([cli, "status", "-m", "main", "--format", "json"], cwd=repository, check=True, capture_output=True, text=True)
    return sorted((each["cmd"], each["args"], each["workload"], each["postprocessors"][1:]) for each in json.loads(told.stdout)["registered"] if each["workload"])


def is_typed():
    """Whether the command is to be typed."""
    return program.there("Command to record", "text") is not None


def matrix():
    """A row of the job matrix, or a command that is typed; what else they come to is tested without a display."""
    with open(os.path.join(repository, ".perun", "local.yml"), "a") as f:
        f.write(SETTINGS)
    open_for_the_newest()
    program.find_text("^All 2 of local.yml$")
    program.find_text("^Postprocessed: filter$")
    assert not is_typed()
    shot("matrix")
    fill("Build", "./build")
    program.choose("What is recorded", 3, is_typed, dialog())
    assert not program.sensitive("Start"), "there is no command yet"
    program.choose("What is recorded", 2, lambda: not is_typed(), dialog())
    begin()
    program.press(".*Trust and Run.*")
    program.find_text("^1 of 1 commits: 1 registered, 0 profiled before, 0 failed$", 120)
    assert of_the_matrix() == 4 * [("./program", "", "2", ["filter"])], of_the_matrix()  # of the second row
    program.find("Start", "push button")  # that comes before its work tree is removed
    program.key("Escape")
    until("the dialog to go", lambda: program.there("What is recorded", "combo box") is None)
    untouched()


failed = True
try:
    failed = run_steps([selected_commits, range_of_commits, many_commits, branch, repeats, run_all, seen_in_the_list, log_of_a_failure, untouched,
                        as_the_command_line, stopped, continued,
                        closed_under_way, matrix], start, shot)
finally:
    if program is not None:
        program.end()
    shutil.rmtree(work)
sys.exit(failed)
