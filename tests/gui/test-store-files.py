#!/usr/bin/python3
"""The Store page among other programs: files dragged in and out, what the file manager opens and is told to show, names copied, menus, what is
damaged, and the installed desktop entry. Repositories of every sort are tested without a display (tests/unit/test-workspace-store.c).

usage: test-store-files.py WAKEPATH SCREENSHOTS MAKE-REPOSITORY SAMPLE PROFILES DESKTOP MIME PPROF — under tests/xrun -w openbox or tests/wlrun. Prints TAP.
WAKEPATH: the program; MAKE-REPOSITORY: makes repositories; SCREENSHOTS: a folder; SAMPLE: a saved profile; PROFILES: a folder with memory.perf;
DESKTOP, MIME: the desktop entry and the mime types; PPROF: a CPU profile of pprof's, go-cpu.pb.gz, of 1.31 s; go-heap.pb.gz is beside it.
"""
import glob
import gzip
import os
import re
import shutil
import subprocess
import sys
import tempfile

from gi.repository import Gio, GLib

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from desktop import Program, run_steps, screen, take_shot, until  # noqa: E402

wakepath, pictures, make_repository, sample, profiles, desktop_entry, mime_types, pprof = map(os.path.abspath, sys.argv[1:9])
os.makedirs(pictures, exist_ok=True)
work = tempfile.mkdtemp(prefix="wakepath-store-files.")
repository = os.path.join(work, "project")
store = os.path.join(repository, ".perun")
head = None
program = None
helpers = []
CORNER = (20, 20)  # of the screen, where the program's window is not

# Stands for a file manager: what is dragged from its button is a file; what is dropped on it is printed.
WINDOW = """
import sys
import gi
gi.require_version("Gtk", "4.0")
from gi.repository import Gdk, Gio, GLib, GObject, Gtk
path = sys.argv[1]
def on_drop(target, value, x, y):
    print("dropped", *[file.get_path() for file in value.get_files()], flush=True)
    return True
def activate(application):
    window = Gtk.ApplicationWindow(application=application, title="Files", default_width=200, default_height=120, decorated=False)
    label = Gtk.Label(label="drag")
    source = Gtk.DragSource(actions=Gdk.DragAction.COPY)
    bytes = GLib.Bytes.new((GLib.filename_to_uri(path) + "\\r\\n").encode())
    source.connect("prepare", lambda *rest: Gdk.ContentProvider.new_for_bytes("text/uri-list", bytes))
    label.add_controller(source)
    target = Gtk.DropTarget.new(Gdk.FileList.__gtype__, Gdk.DragAction.COPY)
    target.connect("drop", on_drop)
    label.add_controller(target)
    window.set_child(label)
    window.present()
application = Gtk.Application(application_id=None)
application.connect("activate", activate)
application.run([])
"""


def shot(which):
    take_shot(program, pictures, which)


def start():
    global program, head
    head = subprocess.run([make_repository, repository, "5"], check=True, capture_output=True, text=True).stdout.strip()
    os.environ["TMPDIR"] = aside = os.path.join(work, "aside")
    os.mkdir(aside)
    program = Program([wakepath], "wakepath")


def show(folder):
    """Another start of the program shows the store of the folder it is started in; the running one is told."""
    subprocess.run([wakepath], cwd=folder, check=True, timeout=20)


def choose(folder):
    program.choose_file("Choose Folder", folder, lambda: program.press("Choose folder"))


def pending():
    return glob.glob(os.path.join(store, "jobs", "*.perf"))


def beside():
    """A window beside the program's, in the corner of the screen."""
    helper = subprocess.Popen(["/usr/bin/python3", "-c", WINDOW, sample], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    helpers.append(helper)
    screen.place_at(until("the other window", lambda: screen.titled("^Files$"), 20)[-1], 0, 0)
    return helper


def drag(start_at, end_at):
    """In small steps: a drag begins once the pointer has moved far enough, and its target hears of each of them. Whoever drops before the target
    has accepted drops nothing: see done_when()."""
    screen.move(*start_at)
    screen.press()
    steps = 12
    for i in range(1, steps + 1):
        at = tuple(round(a + (b - a) * i / steps) for a, b in zip(start_at, end_at))
        screen.move(*at)
        until("the pointer to be there", lambda: screen.pointer() == at)
    screen.release()


def middle(node):
    x, y, width, height = program.place(node)
    return round(x + width / 2), round(y + height / 2)


# --- the steps, in order ---

def begin():
    choose(repository)
    program.press_away("Create Store")
    program.find(f"Change number 4, HEAD, {head[:7]}, .*")


def dragged_in():
    beside()
    program.done_when(lambda: drag(CORNER, middle(program.find("Change number 2, .*"))), pending, "a pending file", 20)
    program.find("Pending, 1, .*")
    assert os.path.exists(sample), "the file stays"


def dragged_out():
    helper = helpers[-1]
    os.set_blocking(helper.stdout.fileno(), False)
    line = program.done_when(lambda: drag(middle(program.find("tour 6, .*time · wakepath.*")), CORNER),
                             helper.stdout.readline, "what was dropped")
    assert line.split()[0] == "dropped" and os.path.samefile(line.split()[1], pending()[0]), line
    helper.terminate()
    helper.wait()


def name_copied():
    program.click(program.find("tour 6, .*time · wakepath.*"))
    program.key("ctrl+c")
    until("the name to be copied", lambda: screen.copied()[0] == os.path.basename(pending()[0]))


def all_selected():
    """The heading is no profile: whatever is done with all rows leaves it out."""
    log = subprocess.run(["git", "-C", repository, "log", "--format=%H"], check=True, capture_output=True, text=True).stdout.split()
    program.click(program.find("Change number 2, .*"))
    program.key("ctrl+a", "ctrl+c")
    until("all names to be copied", lambda: screen.copied()[0].split("\n") == [os.path.basename(pending()[0]), *log])


def shown_by_the_file_manager():
    """By the context menu of the mouse; the file manager is asked over the bus."""
    asked = []
    xml = """<node><interface name="org.freedesktop.FileManager1"><method name="ShowItems"><arg type="as" direction="in"/>
    <arg type="s" direction="in"/></method></interface></node>"""
    bus = Gio.bus_get_sync(Gio.BusType.SESSION)

    def on_call(connection, sender, path, interface, method, arguments, invocation):
        asked.extend(arguments.unpack()[0])
        invocation.return_value(None)
    bus.register_object("/org/freedesktop/FileManager1", Gio.DBusNodeInfo.new_for_xml(xml).interfaces[0], on_call, None, None)
    owner = Gio.bus_own_name_on_connection(bus, "org.freedesktop.FileManager1", 0, None, None)
    program.click(program.find("Change number 2, .*"))
    program.click(program.find("tour 6, .*time · wakepath.*"), button=3)
    program.find("Reveal the File")
    shot("menu")
    program.key("v")

    def answered():
        GLib.MainContext.default().iteration(False)
        return asked
    until("the file manager to be asked", answered)
    assert asked == [GLib.filename_to_uri(pending()[0])], asked
    Gio.bus_unown_name(owner)


def object_opened():
    """What a file manager does with a stored profile, whose file has neither a name nor a suffix; the running window shows it."""
    program.choose_row("tour 6, .*time · wakepath.*", "Register")
    program.press("Register")
    program.find(f"Change number 4, HEAD, {head[:7]}, .*1 profile")
    index = os.path.join(store, "objects", head[:2], head[2:])
    path = next(each for each in glob.glob(os.path.join(store, "objects", "??", "*")) if each != index)
    subprocess.run([wakepath, path], cwd="/", check=True, timeout=20)
    program.find("Flame View", "panel")
    assert len(program.windows()) == 1, program.windows()
    program.find("tour 6 · " + (os.path.basename(os.path.dirname(path)) + os.path.basename(path))[:7], "label")  # what was run, not the hash alone
    program.show_panel("Store")
    shot("object")


def other_kinds_opened():
    """By what is in a file, whatever it is called."""
    path = os.path.join(work, "recording.perf")
    shutil.copy(sample, path)
    subprocess.run(["gzip", "-k", path], check=True)
    os.rename(path + ".gz", os.path.join(work, "packed.perf"))
    subprocess.run([wakepath, os.path.join(work, "packed.perf")], cwd="/", check=True, timeout=20)
    program.find("packed.perf", "label")
    program.find("Flame View", "panel")
    program.show_panel("Store")


def store_of_the_folder():
    """Started within a project, the window shows the store that is found upward."""
    inner, bare = os.path.join(repository, "some", "folder"), os.path.join(work, "nothing-here")
    os.makedirs(inner)
    os.mkdir(bare)
    choose(bare)
    program.find("Not a Git Repository", "label")
    show(inner)
    program.find(f"Change number 4, HEAD, {head[:7]}, .*")
    program.find("project", "label")


def objects():
    """Those with the profiles, by when they were made."""
    index = os.path.join(store, "objects", head[:2], head[2:])
    found = [path for path in glob.glob(os.path.join(store, "objects", "??", "*")) if path != index]
    return sorted(found, key=os.path.getmtime)


LEAK = r"\./test test, memory · memory, .*"


def damaged_object():
    """It is named when it is to be opened; the one beside it opens as before."""
    shutil.copy(os.path.join(profiles, "memory.perf"), os.path.join(store, "jobs", "memory.perf"))
    program.choose_row(LEAK, "Register")
    program.press("Register")
    program.find(f"Change number 4, HEAD, {head[:7]}, .*2 profiles")
    other, damaged = objects()
    os.chmod(damaged, 0o644)
    with open(damaged, "r+b") as f:
        f.seek(os.path.getsize(damaged) // 2)
        f.write(b"\xff" * 64)
    said = program.open_row(LEAK, lambda: program.says(re.escape(os.path.basename(damaged))))
    assert re.search("damaged|checksum|SHA-1|zlib", said.string), said.string
    shot("damaged-object")
    program.open_row("tour 6, time · wakepath.*", lambda: program.there(f".* @ {head[:7]}", "label"))
    program.find("Flame View", "panel")
    program.show_panel("Store")


def stacks_saved_here():
    """A profile of pprof's is saved into the store, and opens from there as what it was."""
    subprocess.run([wakepath, pprof], cwd="/", check=True, timeout=20)
    program.find_text(r"^1\.31.s$")
    before = set(pending())
    until("Save Here to be possible", lambda: program.sensitive("Save Here"))
    program.press("Save Here")
    saved = until("a pending file", lambda: set(pending()) - before).pop()
    subprocess.run([wakepath, saved], cwd="/", check=True, timeout=20)
    program.find(re.escape(os.path.basename(saved)), "label")
    program.find_text(r"^1\.31.s$")
    shot("stacks-from-the-store")


TRACE_EVENTS = '{"traceEvents": [{"name": "f", "ph": "X", "ts": 0, "dur": 5, "pid": 1, "tid": 1}]}'
CPU_PROFILE = '{"nodes": [{"id": 1, "callFrame": {"functionName": "f", "url": "", "lineNumber": 0}}], "samples": [1], "timeDeltas": [0]}'
SPEEDSCOPE = ('{"$schema": "https://www.speedscope.app/file-format-schema.json", "shared": {"frames": [{"name": "f"}]}, "profiles": [{"type": "sampled", '
              '"name": "a", "unit": "seconds", "startValue": 0, "endValue": 1, "samples": [[0]], "weights": [1]}]}')
FIREFOX = '{"meta": {"interval": 1, "processType": 0, "stackwalk": 1, "preprocessedProfileVersion": 50}, "libs": [], "threads": []}'

NODES = '[{"callees": [], "callers": [], "id": false, "self": 0, "src": false, "thread_ids": [], "total": 0}]'
GRAPH = '{\n"total_time": 0,\n"cpu_time": 10,\n"sample_number": 0,\n"thread_times": [],\n"nodes": ' + NODES + "}"
BY_RACKET = '{"cpu_time":10.0,"nodes":' + NODES.replace(" ", "") + ',"sample_number":0,"thread_times":[],"total_time":0.0}'


def told_apart():
    """What a desktop takes files for: what can be told by what is in them whatever they are called, what cannot by their names."""
    environment = installed()
    with gzip.open(pprof) as file, gzip.open(pprof.replace("cpu", "heap")) as other:
        bare, heap = file.read(), other.read()
    with open(pprof, "rb") as file:
        packed = file.read()
    files = [("bare", bare, "application/x-pprof"), ("heap", heap, "application/x-pprof"), ("a.pb.gz", packed, "application/x-compressed-pprof"), ("a.pprof", packed, "application/x-pprof"),
             ("a.prof", packed, "application/x-pprof"), ("just.gz", packed, "application/gzip"), ("a.folded", b"main;f 3\n", "text/x-folded-stacks"),
             ("plain.txt", b"main;f 3\n", "text/plain"), ("speed", SPEEDSCOPE.encode(), "application/x-speedscope"),
             ("speed.json", SPEEDSCOPE.encode(), "application/x-speedscope"), ("fire.json", FIREFOX.encode(), "application/x-firefox-profile"),
             ("events.json", TRACE_EVENTS.encode(), "application/x-trace-events"), ("cpu", CPU_PROFILE.encode(), "application/x-cpuprofile"),
             ("graph.json", GRAPH.encode(), "application/x-racket-call-graph"), ("by-racket", BY_RACKET.encode(), "application/x-racket-call-graph"),
             ("other.json", b'{"nodes": 1}', "application/json")]
    with open(desktop_entry, encoding="utf-8") as file:
        opened = re.search("^MimeType=(.*)$", file.read(), re.M)[1].split(";")
    for name, content, wanted in files:
        path = os.path.join(work, name)
        with open(path, "wb") as out:
            out.write(content)
        said = subprocess.run(["gio", "info", "-a", "standard::content-type", path], check=True, capture_output=True, text=True, env=environment).stdout
        assert said.split()[-1] == wanted, (name, said)
        assert (wanted in opened) == (name not in ("just.gz", "plain.txt", "other.json")), (name, opened)
    subprocess.run([wakepath, "speed", "events.json", "cpu", "a.folded"], check=True, timeout=20, cwd=work)
    for name in ("speed", "events.json", "cpu", "a.folded"):
        program.find(re.escape(name), "label")
    subprocess.run(["gio", "open", os.path.join(work, "a.pb.gz")], check=True, timeout=60, cwd="/", env=environment)
    program.find(r"a\.pb\.gz", "label")
    program.find_text(r"^1\.31.s$")
    recent = os.path.join(os.environ["XDG_DATA_HOME"], "recently-used.xbel")
    until("the file to be among the recent ones", lambda: re.search(r'a\.pb\.gz".*?mime-type type="application/x-compressed-pprof"', open(recent).read(), re.S))


def installed():
    """Its entry and mime types where a desktop finds them."""
    data = os.environ["XDG_DATA_HOME"]
    for folder in ("applications", os.path.join("mime", "packages")):
        os.makedirs(os.path.join(data, folder), exist_ok=True)
    shutil.copy(desktop_entry, os.path.join(data, "applications"))
    shutil.copy(mime_types, os.path.join(data, "mime", "packages", "org.wakepath.Wakepath.xml"))
    subprocess.run(["update-mime-database", os.path.join(data, "mime")], check=True, capture_output=True)
    subprocess.run(["update-desktop-database", os.path.join(data, "applications")], check=True, capture_output=True)
    return dict(os.environ, PATH=os.path.dirname(wakepath) + ":" + os.environ["PATH"], PWD="/")


def through_the_desktop_entry():
    """A file manager starts it with the file; a double click on one does so by what is in it, whatever it is called."""
    environment = installed()
    entry = os.path.join(os.environ["XDG_DATA_HOME"], "applications", os.path.basename(desktop_entry))
    launched, opened = os.path.join(work, "launched.perf"), os.path.join(work, "no-suffix-at-all")
    shutil.copy(sample, launched)
    shutil.copy(os.path.join(profiles, "memory.perf"), opened)
    subprocess.run(["gio", "launch", entry, launched], check=True, timeout=60, cwd="/", env=environment)
    program.find("launched.perf", "label")
    program.find("Flame View", "panel")
    subprocess.run(["gio", "open", opened], check=True, timeout=60, cwd="/", env=environment)
    program.find("no-suffix-at-all", "label")
    program.find("Heap Map", "panel")
    assert len(program.windows()) == 1, program.windows()
    shot("opened-by-the-desktop")


def registered(commit):
    """The pending profile of stacks, which stands above all that are registered, goes to this commit."""
    program.find("Pending, 1, .*")
    program.choose_row("demo, .*time · wakepath-stacks.*", "Register")
    program.press("Register")
    program.find(commit)


def stacks_of_commits_compared():
    """The profiles of two commits that are the same program's, by mouse: values of one type, and of the one that is chosen then."""
    program.find_text(r"^1\.31.s$")  # the page that was opened last
    registered("Change number 4, HEAD, .*3 profiles")
    subprocess.run(["git", "-C", repository, "-c", "user.name=A", "-c", "user.email=a@example.org", "commit", "-q", "--allow-empty", "-m", "Change number 5"],
                   check=True)
    program.click(program.find("Change number 4, .*"))
    program.key("F5")
    program.find("Change number 5, HEAD, .*")
    before = set(pending())
    program.press("Save Here")
    until("a pending file", lambda: set(pending()) - before)
    registered("Change number 5, HEAD, .*1 profile")

    def both():
        program.click(program.find("Change number 4, .*"))
        with screen.held("ctrl"):
            program.click(program.find("Change number 5, .*"))
    program.done_when(both, lambda: program.sensitive("Compare"), "Compare to be possible", 10)
    program.press("Compare")
    program.find_text(r"cpu 0 %")
    shot("stacks-compared")
    program.choose("Values", 0, lambda: program.says(r"samples 0 %"))


def nothing_left():
    """Told to end, the program takes away what it unpacked."""
    aside = os.path.join(work, "aside")
    assert glob.glob(os.path.join(aside, "wakepath-*", "*")), "an object was opened, so it must lie there"
    program.end()
    assert program.process.returncode == 0, program.process.returncode
    assert os.listdir(aside) == [], os.listdir(aside)


failed = True
try:
    failed = run_steps([begin, dragged_in, dragged_out, name_copied, all_selected, shown_by_the_file_manager, object_opened, other_kinds_opened,
                        stacks_saved_here, store_of_the_folder, damaged_object, through_the_desktop_entry, told_apart, stacks_of_commits_compared,
                        nothing_left], start, shot)
finally:
    for helper in helpers:
        if helper.poll() is None:
            helper.terminate()
            helper.wait()
    if program is not None:
        program.end()
    shutil.rmtree(work)
sys.exit(failed)
