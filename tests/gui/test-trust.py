#!/usr/bin/python3
"""Commands of a clone's local.yml in the window: they are shown before anything runs, nothing runs that was not agreed to, what is typed is not
asked about, and what was trusted is asked about again once it changed. When it is asked is tested without a display
(tests/unit/test-workspace-range.c).

usage: test-trust.py WAKEPATH SCREENSHOTS — under tests/xrun -w openbox or tests/wlrun. Prints TAP.
"""
import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from desktop import Program, run_steps, screen, take_shot, text, until  # noqa: E402

wakepath, pictures = map(os.path.abspath, sys.argv[1:3])
os.makedirs(pictures, exist_ok=True)
work = tempfile.mkdtemp(prefix="wakepath-trust-test.")
clone, runs = os.path.join(work, "project"), os.path.join(work, "runs")
os.environ["WAKEPATH_COLLECTOR"] = "/nonexistent"  # builds are enough to see whether something runs
program = None
QUESTION = "Trust the Commands of This Store?"
SETTINGS = f"""vcs:
  type: git
  url: ..
cmds: [./program]
workloads: [small.txt, "large file.txt"]
execute:
  pre_run:
    - touch {runs}/pre_run
    - "false"
"""


def shot(which):
    take_shot(program, pictures, which)


def git(folder, *arguments):
    return subprocess.run(["git", "-C", folder, "-c", "user.name=A", "-c", "user.email=a@b", *arguments], check=True, capture_output=True, text=True)


def set_settings(words):
    with open(os.path.join(clone, ".perun", "local.yml"), "w") as f:
        f.write(words)


def start():
    global program
    source = os.path.join(work, "source")
    os.mkdir(runs)
    os.makedirs(os.path.join(source, ".perun", "jobs"))
    for each in "objects", "logs":
        os.mkdir(os.path.join(source, ".perun", each))
    with open(os.path.join(source, ".perun", "local.yml"), "w") as f:
        f.write(SETTINGS)
    git(source, "init", "-q", "-b", "main")
    git(source, "add", ".")
    git(source, "commit", "-q", "-m", "the newest")
    git(work, "clone", "-q", source, clone)
    program = Program([wakepath], "wakepath")


def ran():
    return sorted(os.listdir(runs))


def open_dialog():
    program.click(program.find("the newest, HEAD.*"))
    program.from_menu("Profile Commits…", "p", lambda: program.has_top_level("Profile Commits"), "the dialog")
    program.find_text("^1 commit$")
    screen.move(2, 2)  # no tooltip of the row that was clicked
    return to_front()


def to_front():
    window = program.top_level("Profile Commits")
    until("it to have the keyboard", lambda: screen.is_active(window))
    return window


def close_dialog():
    """What is under way would be asked about: it ends after what it says of it."""
    program.find("Start|Continue", "push button")
    to_front()
    program.key("Escape")
    until("the dialog to go", lambda: program.there("What is recorded", "combo box") is None)


def asked():
    return program.there("Commands", "text") is not None


def begin(button="Start"):
    until(f"{button} to be possible", lambda: program.there(button, "push button") and program.sensitive(button))
    program.press(button)


def ask():
    """Presses Start and returns what the question shows."""
    begin()
    until("the question", asked)
    assert program.says(f"^{QUESTION.replace('?', '.')}$")
    return text(program.find("Commands", "text"))


def fill(entry, words):
    program.click(program.find(entry, "text"), to_front())
    program.key("ctrl+a", "BackSpace")
    program.type(words)
    screen.move(2, 2)


# --- the steps, in order ---

def elsewhere():
    """A store whose settings name another repository: its commits are there once that is trusted."""
    beside = os.path.join(work, "beside")
    os.mkdir(beside)
    subprocess.run(["cp", "-a", os.path.join(clone, ".perun"), beside], check=True)
    with open(os.path.join(beside, ".perun", "local.yml"), "w") as f:
        f.write("vcs:\n  type: git\n  url: ../../project\n")
    program.choose_file("Choose Folder", beside, lambda: program.click(program.find("Choose folder", "push button")))
    screen.move(2, 2)  # no tooltip over what is pressed
    program.find("Trust…", "push button")  # what was read is shown at once
    assert program.there("the newest, HEAD.*") is None
    shot("elsewhere")
    program.press("Trust…")
    until("the question", asked)
    shot("repository")
    assert text(program.find("Commands", "text")).splitlines() == ["Repository", clone], text(program.find("Commands", "text"))
    program.press(".*Cancel.*")
    until("the question to go", lambda: not asked())
    assert program.there("the newest, HEAD.*") is None
    program.press("Trust…")
    until("the question", asked)
    program.done_when(lambda: program.key("alt+t"), lambda: program.there("the newest, HEAD.*"), "the commits")
    assert program.there("Trust…", "push button") is None


def shown():
    """All that would run, and nothing has."""
    program.choose_file("Choose Folder", clone, lambda: program.click(program.find("Choose folder", "push button")))
    open_dialog()
    assert ask().splitlines() == ["First, in a shell", f"$ touch {runs}/pre_run", "$ false", "", "Then, while it is recorded",
                                  "$ ./program small.txt", "$ ./program large file.txt"], text(program.find("Commands", "text"))
    assert program.find_text(f"{clone}/.perun/local.yml")
    shot("question")
    assert ran() == [], ran()


def not_agreed():
    """Cancel is what Return and Escape mean."""
    for key in "Return", "Escape":
        if not asked():
            ask()
        program.done_when(lambda: asked() and program.key(key), lambda: not asked(), "the question to go")
        assert program.sensitive("Start") and ran() == [], (key, ran())


def typed():
    """The build line that came with the store is gone, and so is its command."""
    fill("Build", f"touch {runs}/typed; false")
    program.choose("What is recorded", 3, lambda: program.there("Command to record", "text") is not None, to_front())
    fill("Command to record", "true")
    begin()
    until("what was typed to run", lambda: ran() == ["typed"])
    program.find_text("^1 of 1 commits: 0 registered, 0 profiled before, 1 failed$")
    assert not asked()
    os.unlink(os.path.join(runs, "typed"))
    close_dialog()


def agreed():
    open_dialog()
    ask()
    program.press(".*Trust and Run.*")
    until("the build to run", lambda: ran() == ["pre_run"])
    program.find_text("^1 of 1 commits: 0 registered, 0 profiled before, 1 failed$")
    os.unlink(os.path.join(runs, "pre_run"))
    close_dialog()
    open_dialog()
    begin()
    until("it to run unasked in another dialog", lambda: ran() == ["pre_run"])
    program.find_text("^1 of 1 commits: 0 registered, 0 profiled before, 1 failed$")
    os.unlink(os.path.join(runs, "pre_run"))
    close_dialog()


def changed():
    """Asked about again; many commands scroll, and what would not be seen is."""
    many = "".join(f"  - ./program --case {i}\n" for i in range(200))
    set_settings(SETTINGS.replace('    - "false"\n', f'    - "{"make " * 700}; touch {runs}/hidden"\n'
                 f'    - "for each in 1 2; do\\n  touch {runs}/$each\\ndone"\n    - "x \\e[2J\\r\\u202e\\u200b<b>&"\n    - "false"\n')
                 .replace("cmds: [./program]\n", "cmds:\n" + many))
    open_dialog()
    shown_now = ask()
    assert shown_now.count("$ ") == 5 - 1 + 1 + 400 and f"; touch {runs}/hidden" in shown_now.replace("\n… ", ""), shown_now[:5000]
    assert f"$ for each in 1 2; do\n>   touch {runs}/$each\n> done\n$ x \\x1b[2J\\x0d\\u202e\\u200b<b>&\n" in shown_now, shown_now[:9000]
    shot("long")
    program.done_when(lambda: asked() and program.key("Escape"), lambda: not asked(), "the question to go")
    close_dialog()


failed = True
try:
    failed = run_steps([elsewhere, shown, not_agreed, typed, agreed, changed], start, shot)
finally:
    if program is not None:
        program.end()
    shutil.rmtree(work)
sys.exit(failed)
