#!/usr/bin/python3
"""The Record dialog attached to processes that run, and what one can do while it records: snapshots, pauses, rate, process to open with.

usage: test-attach.py WAKEPATH SCREENSHOTS CLI — under tests/xrun -w openbox or tests/wlrun. Prints TAP.
WAKEPATH: the program; SCREENSHOTS: a folder.
"""
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from desktop import Program, everything, name, run_steps, screen, still, take_shot, text, until  # noqa: E402

wakepath, pictures, cli = sys.argv[1:4]
os.makedirs(pictures, exist_ok=True)
SLEEPS = "import sys, time\nopen('/proc/self/comm', 'w').write(sys.argv[1])\nwhile True: time.sleep(0.02)"
DIGS = """import sys, threading, time
def dig(name):
    open(f'/proc/self/task/{threading.get_native_id()}/comm', 'w').write(name)
    while True: sum(range(50000)) if name == 'digger' else time.sleep(0.1)
open('/proc/self/comm', 'w').write(sys.argv[1])
for name in ('digger', 'carrier'): threading.Thread(target=dig, args=(name,), daemon=True).start()
time.sleep(10000)"""
VICTIM, SLEEPER, SERVER, MINE = (f"{does}{os.getpid()}" for does in ("finishes", "naps", "serves", "mines"))  # names that no other process has
program = None
dialog = None
started = []


def shot(which):
    take_shot(program, pictures, which)


def start():
    global program
    program = Program([wakepath], "wakepath")


def sleeper(word, does=SLEEPS):
    """A Python process that sleeps again and again, with this name, which it gives itself."""
    process = subprocess.Popen([sys.executable, "-c", does, word])
    started.append(process)

    def its_name():
        with open(f"/proc/{process.pid}/comm", encoding="utf-8") as file:
            return file.read().strip()
    until(f"a process named {word}", lambda: its_name() == word)
    return process


def end(process):
    process.kill()
    process.wait()


def open_dialog():
    global dialog
    screen.activate(program.window)
    program.done_when(lambda: program.key("ctrl+r"), lambda: program.has_top_level("Record"), "the dialog")
    dialog = program.top_level("Record")
    still()


def search(words):
    program.click(program.find("Search processes"), dialog)
    program.key("ctrl+a")
    program.type(words)


def cell(words):
    """The label of the table that holds these words, or None."""
    return next((node for node in everything(program.root) if node.role == "label" and words in node.name and "meanwhile" not in node.name), None)


def can_start():
    return program.sensitive("Start Recording")


def helper_words():
    """What helpers that this program has started were told to do."""
    of_ours = subprocess.run(["ps", "-o", "pid=", "--ppid", str(program.process.pid)], capture_output=True, text=True).stdout.split()
    for pid in of_ours:
        try:
            with open(f"/proc/{pid}/cmdline", "rb") as file:
                yield file.read()
        except OSError:  # it has ended
            pass


def state(words):
    return until(f"state “{words}”", lambda: program.says(f"^{words}$"))


def click(button, role="push button"):
    program.click(program.find(button, role), dialog)


def in_units():
    """Whether some process belongs to a service, or to a session."""
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/cgroup", encoding="utf-8") as file:
                if re.search(r"\.(service|scope)\b", file.read()):
                    return True
        except OSError:
            pass
    return False


# --- the steps, in order ---

def choose_what():
    open_dialog()
    shot("command")
    click("Whole System", "page tab")
    program.find("Everything that runs", "label")
    shot("system")
    click("Running Process", "page tab")
    program.find_text(r"^\d+ processes$")
    assert not can_start()
    program.find("Command", "label")
    until("units, where there are some", lambda: program.there("Unit", "label") or not in_units())
    shot("processes")


def nothing_matches():
    search("no process has these words")
    program.find("No Such Process", "label")
    assert not can_start()
    shot("none")


def ended_before_it_starts():
    """While the pointer is over the list a process that has ended stays, and says so; started, the dialog does."""
    victim = sleeper(VICTIM)
    search(VICTIM)
    row = until("the process", lambda: cell(VICTIM))
    program.click(row, dialog)
    until("it to be chosen", can_start)
    program.find("1 process chosen", "label")
    end(victim)
    until("it to have ended", lambda: program.says("^ended$"))
    shot("ended")
    program.press("Start Recording")
    program.find_text("has ended meanwhile")
    shot("ended-told")
    screen.move(5, 5)
    until("it to go", lambda: not cell(VICTIM) and not can_start())
    sleeper(VICTIM)
    program.click(until("another one", lambda: cell(VICTIM)), dialog)
    until("what was told to go with the choice", lambda: not program.says("has ended meanwhile"), 8)  # by itself after 15 s
    end(started.pop())
    screen.move(5, 5)
    until("the other one to go", lambda: not cell(VICTIM) and not can_start())


def unit_folder():
    """A cgroup with a service's name, as systemd makes one for each; or None where no cgroups can be made."""
    with open("/proc/mounts", encoding="utf-8") as mounts:
        found = [line.split()[1] for line in mounts if " cgroup2 " in line or "name=systemd" in line]
    for place in found:
        try:
            os.mkdir(f"{place}/{SERVER}.service")
            return f"{place}/{SERVER}.service"
        except OSError as error:
            print(f"# {error}")
    return None


def all_of_unit():
    """One is found by typing, the rest of its service chosen with a button."""
    folder = unit_folder()
    if folder is None:
        print("# no cgroup can be made here, so there is no service to choose all of")
        return
    servers = [sleeper(SERVER) for _ in range(3)]
    for one in servers:
        with open(f"{folder}/cgroup.procs", "w", encoding="utf-8") as file:
            file.write(str(one.pid))
    search(f"{SERVER} {servers[1].pid}")
    until("the process", lambda: program.says("^1 of"))
    program.key("Down")
    until("it to be chosen", lambda: program.says("^1 process chosen$"))
    program.find("Unit", "label")  # comes with the next reading
    click(f"All of {SERVER}.service")
    until("all of it to be chosen", lambda: program.says("^3 processes chosen$"))
    assert not program.there(f"All of {SERVER}.service")
    shot("unit")
    for one in servers:
        end(one)
        started.remove(one)
    os.rmdir(folder)
    program.find("No Such Process", "label")


def by_frame_pointers():
    """So that little is written."""
    def lists():
        return sum(node.role == "list" for node in everything(program.root))
    others = 0

    def pick():
        nonlocal others
        others = lists()
        program.click(program.find("Stacks", "label"), dialog)
        still()
        program.key("Home", "Down", "Return")
    program.done_when(pick, lambda: program.says("^A recording(.|\n)*Nothing that memory or files contain is recorded.$"),
                      "frame pointers", 10, lambda: lists() > others and program.key("Escape"))  # without a list Escape closes the dialog


def only_what_counts():
    """Only the chosen are sampled, and only the last seconds are kept."""
    def keep():
        program.click(program.find("Keep only the last", "label"), dialog)
        program.key("ctrl+a")
        program.type("3\t")
    program.done_when(keep, lambda: any(node.has_text and text(node) == "3" for node in everything(program.root)), "three seconds")
    program.done_when(lambda: program.there("Threads", "label") or program.click(program.find("Sample only the chosen processes", "label"), dialog),
                      lambda: program.there("Threads", "label"), "only the chosen", 10)
    shot("only")


def attach():
    """Found by typing, entered by Down, started by Return."""
    for _ in range(2):
        sleeper(SLEEPER)
    search(SLEEPER)
    until("the processes", lambda: program.says("^2 of"))
    program.key("Down")
    until("one to be chosen", lambda: program.says("^1 process chosen$"))
    program.key("ctrl+a")
    until("both to be chosen", lambda: program.says("^2 processes chosen$"))
    shot("chosen")
    program.key("Return")
    state("Recording")


def recorded_window():
    global dialog
    dialog = program.top_level(f"Recording {SLEEPER}")
    until("its process", lambda: program.says(rf"^{SLEEPER} \({started[1].pid}\)$"))
    program.find("The last 3 seconds are kept", "label")
    until("the helper to sample only those", lambda: any(b"--sample=chosen" in words for words in helper_words()))
    shot("recording")


def live_view():
    """It is looked at while it is recorded, and what that costs is told."""
    program.find_text(r"^Live view: [\d.]+ % of a core, every ", 90)
    program.done_when(lambda: program.click(program.find("Explanation", "page tab"), dialog), lambda: program.there("Explanation", "list"),
                      "what it was found to do", 15)
    until("its waits", lambda: program.says("^Sleeping on purpose$"))
    shot("live")
    program.done_when(lambda: click("Consolidated", "page tab"), lambda: program.there("Consolidated", "panel"), "the picture", 15)

    def press_on_picture(key):
        program.click(program.find("Consolidated", "panel"), dialog, at=(0.5, 0.9))
        program.key(key)
    for key, depth in (("1", "Waits"), ("3", "Everything"), ("2", "Functions")):
        program.done_when(lambda: press_on_picture(key), lambda: program.find(depth, "push button").pressed, f"depth {depth}", 10)
    still()
    shot("live-depth")


def snapshots():
    """Each opens as a tab of the main window, and recording goes on."""
    for number in 1, 2:
        program.press("Snapshot")
        program.find_text(rf"^Snapshot {number} of {SLEEPER}, \d\d:\d\d:\d\d$", 60)
        state("Recording")
    assert program.sensitive("Stop")
    shot("snapshot-told")
    screen.activate(program.window)
    until("an explanation", program.table)
    shot("snapshot")
    screen.activate(dialog)


def keys_are_of_lists():
    """What is typed while a list has popped up presses none of the buttons behind it."""
    def lists():
        return sum(node.role == "list" for node in everything(program.root))
    others = lists()
    program.done_when(lambda: program.click(program.find("CPU samples a second", "combo box"), dialog), lambda: lists() > others, "the list", 15)
    still()
    program.key("q", "p", "Escape")
    until("the list to go", lambda: lists() <= others)
    state("Recording")


def change_rate():
    program.choose("CPU samples a second", 4, lambda: program.says("^1,?000 per second$"), dialog)
    state("Recording")


def sample_all():
    """It has begun with the chosen alone; that it was not so to the end is in the recording, when it is stopped."""
    def switch():
        return program.last("Sample only what was chosen", "check box")
    assert switch().sensitive and switch().checked
    program.done_when(lambda: program.click(switch(), dialog), lambda: not switch().checked, "all to be sampled", 20)
    shot("sample-all")


def recordings(name):
    """The files that were kept under this name."""
    folder = f"{os.environ['XDG_DATA_HOME']}/wakepath/recordings"
    return [f"{folder}/{file}" for file in sorted(os.listdir(folder)) if file.startswith(name) and "-snapshot-" not in file]


def pauses():
    """They nest."""
    program.press("Pause")
    state("Paused")
    program.press("Pause")
    state("Paused 2 times")
    shot("paused")
    program.press("Resume")
    state("Paused")
    program.press("Resume")
    state("Recording")
    assert not program.sensitive("Resume")


def other_interest():
    """By default the oldest of those that were chosen; then the other one."""
    other = started[2].pid
    program.done_when(lambda: click("Opens with"), lambda: program.says(r"^\d+ processes$"), "the list", 20)
    # The list has the keyboard; where it is on the screen only the window manager knows. The helper's command has the number, too.
    program.type(f"{SLEEPER} {other}")
    until("one process", lambda: program.says("^1 process$|^1 of "))
    shot("interest")
    program.key("Return")
    until("the list to go", lambda: not program.says(r"^\d+ process(es)?$"))
    until("the other process", lambda: program.says(rf"^{SLEEPER} \({other}\)$"))


def asks_before_it_ends():
    """What would end the recording from outside asks what becomes of it: quitting, and Escape."""
    def asks(do):
        program.done_when(do, lambda: program.says("^Stop Recording\\?$"), "the question", 5)  # Escape takes a toast away first
        still()
        shot("stays")
        program.press("_?Go On Recording.*")
        until("the question to go", lambda: not program.says("^Stop Recording\\?$"))
        state("Recording")

    def quit():
        screen.activate(program.window)
        program.key("ctrl+q")

    def escape():
        screen.activate(dialog)
        if not program.says("^Stop Recording\\?$"):
            program.key("Escape")
    asks(quit)
    asks(escape)


def stop():
    """What is opened explains the process that was chosen last."""
    program.top_level(f"Recording {SLEEPER}")
    program.press("Stop")
    until("the dialog to go", lambda: not program.has_top_level(f"Recording {SLEEPER}"), 60)
    screen.activate(program.window)
    until("an explanation", program.table)
    program.done_when(lambda: program.key("Right"), lambda: program.says(rf"\b{started[2].pid}\b"), "whose box is selected")
    shot("opened")
    told = subprocess.run([cli, "info", recordings(SLEEPER)[0], "--format", "json"], capture_output=True, text=True, check=True).stdout
    assert "chosen processes, for a part of the time" in told, told


def ends_by_itself():
    """The process is the one that was kept by its name; when it ends the recording does."""
    end(started[1])
    open_dialog()
    until("the process to be chosen", lambda: program.says("^1 process chosen$"))
    shot("remembered")
    program.press("Start Recording")
    state("Recording")
    end(started[2])
    until("the dialog to go", lambda: not program.has_top_level(f"Recording {SLEEPER}"), 60)
    until("an explanation", program.table)


def longer_than(seconds):
    """The row may move while the dialog gets its size."""
    def enter():
        program.click(program.find("Only a run longer than", "label"), dialog)
        program.key("ctrl+a")
        program.type(f"{seconds}\t")
    program.done_when(enter, lambda: any(node.has_text and text(node) == f"{float(seconds):.1f}" for node in everything(program.root)), "the seconds", 10)


def enter_command(words):
    """Of the dialog's page, which may still get its size."""
    def enter():
        program.click(program.last("Command", "label"), dialog)
        program.key("ctrl+a")
        program.type(words)
    program.done_when(enter, lambda: any(node.has_text and text(node) == words for node in everything(program.root)), "the command", 10)


def until_it_is_long():
    """The command is short twice and then so long as one looks. Of a command nobody chooses whom to sample."""
    global dialog
    script = f"{os.environ['XDG_DATA_HOME']}/{VICTIM}"
    with open(script, "w", encoding="utf-8") as file:
        file.write("#!/bin/sh\nif test -e $0-2; then sleep 3; while ! test -e $0-3; do sleep 0.1; done; fi\n"
                   "if test -e $0-1; then touch $0-2; fi\ntouch $0-1\n")
    os.chmod(script, 0o755)
    open_dialog()
    click("Command", "page tab")
    longer_than("2.5")
    enter_command(script)
    until("it to be possible", can_start)
    shot("longer")
    program.press("Start Recording")
    program.find_text("^Run 3; the one before took [0-9.]+ m?s$", 60)
    state("Recording")
    assert not program.last("Sample only what was chosen", "check box").sensitive
    shot("third-run")
    with open(f"{script}-3", "w", encoding="utf-8"):
        pass
    until("the dialog to go", lambda: not program.has_top_level(f"Recording {VICTIM}"), 60)
    until("an explanation", program.table)
    assert len(recordings(VICTIM)) == 1


def command(words, longer="0"):
    """Starts to record it."""
    open_dialog()
    click("Command", "page tab")
    longer_than(longer)
    enter_command(words)
    until("it to be possible", can_start)
    program.press("Start Recording")


def output_and_status():
    """What the command prints is shown, and how it ended, at once and whenever the recording is opened."""
    command("sh -c 'echo first; echo last line >&2; exit 3'")
    program.find_text("^sh ended with status 3$", 90)
    until("the dialog to go", lambda: not program.has_top_level("Recording sh"), 60)
    screen.activate(program.window)
    program.find_text("^The recorded command failed: exit status 3")
    shot("failed-command")
    program.done_when(lambda: program.key("F10"), lambda: program.there("Command’s Output"), "the menu")
    still()
    program.key("t")
    view = program.find("Log", "text")
    until("what it printed", lambda: text(view) == "first\nlast line\n")
    shot("output")
    program.key("Escape")
    until("the log to go", lambda: not program.there("Log", "text"))


def discarded():
    """Nothing is left of it; the command goes on, which is said."""
    command("sh -c 'echo still here; exec sleep 1000'")
    state("Recording")
    until("its last line", lambda: program.says("^still here$"))
    shot("printed")
    program.press("Discard")
    program.find_text("^A discarded recording .* Either way, sh goes on running \\(process \\d+\\).$")
    shot("discard")
    program.press("_Discard.*")  # of the question: the other button has no letter underlined
    program.find_text("^sh goes on running \\(process \\d+\\)$")
    program.find("Start Recording", "push button")
    assert len(recordings("sh-")) == 2, recordings("sh-")  # that which failed, and its output
    program.top_level("^Record$")
    program.done_when(lambda: program.key("Escape"), lambda: not program.has_top_level("^Record$"), "the dialog to go", 2)  # a toast goes first


def threads():
    """In the order of the list: the busiest first, where a machine that is busy with other things lets it be."""
    return [name(node) for node in everything(program.root) if node.role == "check box" and re.fullmatch(r".+ \(\d+\)", name(node))]


def choose_digger():
    """The list has the keyboard."""
    row = next(i for i, thread in enumerate(threads()) if thread.startswith("digger"))
    program.key("Home", *["Down"] * row, "Return")
    until("it to be chosen", lambda: program.says("^1 of 3 chosen$"))


def close_list(said):
    """Where it has gone, Escape would close the dialog."""
    program.done_when(lambda: program.says(said) and program.key("Escape"), lambda: not program.says(said), "the list to go", 10)


def one_thread():
    """Of a process with three threads the busiest is chosen, and sampled alone."""
    mine = sleeper(MINE, DIGS)
    open_dialog()
    click("Running Process", "page tab")
    search(MINE)
    until("the process", lambda: program.says("^1 of"))
    program.key("Down")
    until("it to be chosen", lambda: program.says("^1 process chosen$"))
    program.find_text("^All of them$")
    def open_list():
        program.done_when(lambda: program.click(program.find("Choose…", "label"), dialog), lambda: len(threads()) == 3, "the list of threads", 20)
    open_list()
    still()
    shot("threads")
    check = program.find(r"^digger \(\d+\)$", "check box")
    tid = int(name(check).split("(")[1][:-1])
    choose_digger()
    program.find_text("^1: digger$")
    program.key("Up" if threads()[-1].startswith("digger") else "Down", "Return")
    until("another one", lambda: program.says("^2 of 3 chosen$"))
    program.press("All Threads")
    until("all to be meant", lambda: program.says("^3 threads$") and not program.there(r"^digger \(\d+\)$", "check box").checked)
    close_list("^3 threads$")
    open_list()
    still()
    choose_digger()
    shot("one-thread")
    close_list("^1 of 3 chosen$")
    program.press("Start Recording")
    state("Recording")
    until("the helper to sample only that thread", lambda: any(f"--sample-tids={tid}\0".encode() in words for words in helper_words()))
    program.press("Stop")
    until("the dialog to go", lambda: not program.has_top_level(f"Recording {MINE}"), 60)
    until("an explanation", program.table)
    info = subprocess.run([cli, "info", *recordings(MINE)], capture_output=True, text=True, check=True).stdout
    assert "CPU samples: of chosen threads only." in info, info
    end(mine)
    started.remove(mine)


def close():
    """A command that would go on is told of, once, however often one quits; and can be ended."""
    screen.activate(program.window)
    program.done_when(lambda: program.key("ctrl+q"), lambda: program.says("^A Command Still Runs$"), "the question", 4)
    command = program.find_text("sh -c echo still here; exec sleep 1000 \\((\\d+)\\)")[1]
    shot("still-runs")
    before = len(program.windows())
    program.quit_from_desktop()  # the same question, not one more
    program.key("ctrl+q")
    still()
    assert len(program.windows()) == before, [name(node) for node in program.windows()]
    program.done_when(lambda: program.key("Escape"), lambda: not program.says("^A Command Still Runs$"), "the question to go")
    program.done_when(lambda: screen.close(program.window), lambda: program.says("^A Command Still Runs$"), "the question again", 10)
    program.press("_?End and Quit.*")
    assert program.process.wait(60) == 0
    until("the command to end", lambda: not os.path.exists(f"/proc/{command}") or ended(command))


def ended(pid):
    """Whoever has taken it over may not have waited for it."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
            return file.read().rsplit(")", 1)[1].split()[0] == "Z"
    except OSError:
        return True


steps = [choose_what, nothing_matches, ended_before_it_starts, all_of_unit, by_frame_pointers, only_what_counts, attach, recorded_window, live_view, snapshots,
         keys_are_of_lists, change_rate, sample_all, pauses, other_interest, asks_before_it_ends, stop, ends_by_itself, until_it_is_long,
         output_and_status, discarded, one_thread, close]
failed = run_steps(steps, start, shot)
for process in started:
    end(process)
if program:
    program.end()
sys.exit(failed)
