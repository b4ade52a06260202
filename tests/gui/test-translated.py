#!/usr/bin/python3
"""The window in another language: what widgets, the table and the boxes say; and whether all translations are complete.

usage: test-translated.py WAKEPATH SCREENSHOTS SCENARIO SOURCE — under tests/xrun -w openbox, with LANGUAGE and WAKEPATH_LOCALEDIR.
Prints TAP.
WAKEPATH: the program; SCREENSHOTS: a folder; SCENARIO: a recording as text; SOURCE: the project's folder.
"""
import collections
import gettext
import glob
import os
import re
import subprocess
import sys
import tempfile
from xml.etree import ElementTree

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from desktop import Program, run_steps, screen, still, take_shot, until  # noqa: E402

wakepath, pictures, scenario, source = sys.argv[1:5]
os.makedirs(pictures, exist_ok=True)
program = None

WORDS = {
    "de": {
        "record": "Aufzeichnen", "processes": "Prozesse", "flame": "Flammen", "flame view": "Flammenansicht", "consolidated": "Gesammelt",
        "consolidated view": "Gesammelte Flammenansicht", "store": "Archiv", "table": "Erklärung", "understood": "Läuft, Funktion bekannt",
        "unexplained": "Ungeklärt", "rest": "10 weitere ohne Zeit", "explained": "geklärt", "took": "^Dauerte 400 µs$",
        "request": "KiB lesen", "two boxes": r"^2 Kästen · [\d.]+ %$", "sectors": r"8 Sektoren \(4 KiB\) ab .* lesen",
        "in the queue": "In der Warteschlange der Festplatte", "queued": "wartend", "a box": r"^1 Kasten · [\d.]+ %$",
        "some boxes": r"^\d+ (Kasten|Kästen)(, davon \d+ eingeklappt)? · [\d.]+ %$", "one of one": r"^1 von 1 · [\d.]+ %$", "sleeps": "^B: schläft in read$",
    },
    "cs": {
        "record": "Zaznamenat", "processes": "Procesy", "flame": "Plamenový", "flame view": "Plamenový pohled", "consolidated": "Souhrnný",
        "consolidated view": "Souhrnný plamenový pohled", "store": "Úložiště", "table": "Vysvětlení", "understood": "Běh, funkce známa",
        "unexplained": "Nevysvětleno", "rest": "10 dalších bez času", "explained": "vysvětleno", "took": "^Trvání: 400 µs$",
        "request": "4 KiB", "two boxes": r"^2 obdélníky · [\d.]+ %$", "sectors": r"čtení 8 sektorů \(4 KiB\) od sektoru ",
        "in the queue": "Ve frontě disku", "queued": "ve front", "a box": r"^1 obdélník · [\d.]+ %$",
        "some boxes": r"^\d+ obdélník(y|ů)?(, ve složených: \d+)? · [\d.]+ %$", "one of one": r"^1 z 1 · [\d.]+ %$", "sleeps": "^B: spánek ve funkci read$",
    },
}
language = os.environ["LANGUAGE"]
say = WORDS[language]

KEYWORDS = ["_", "N_", "C_:1c,2", "NC_:1c,2", "ngettext:1,2", "wp_progress_phase:2"]
USES = re.compile(r'(?<![\w"])(_|N_|C_|NC_|ngettext|wp_progress_phase) ?\((?:[\w>.-]+, )?"|translatable="yes"')


def shot(which):
    if program:
        take_shot(program, pictures, which)


def start():
    pass


def all_files_are_listed():
    """Whatever has something to translate is in POTFILES."""
    with open(os.path.join(source, "po", "POTFILES")) as f:
        listed = set(f.read().split())
    for top in "src", "ui":
        for folder, _, files in os.walk(os.path.join(source, top)):
            for file in files:
                path = os.path.join(folder, file)
                if file.endswith((".c", ".ui")):
                    with open(path) as f:
                        assert not USES.search(f.read()) or os.path.relpath(path, source) in listed, f"not in POTFILES: {path}"


def translations_are_complete():
    """Each of LINGUAS."""
    with open(os.path.join(source, "po", "LINGUAS")) as f:
        languages = f.read().split()
    with tempfile.TemporaryDirectory() as folder:
        template = os.path.join(folder, "all.pot")
        subprocess.run(["xgettext", "--from-code=UTF-8", *("--keyword=" + k for k in KEYWORDS), "--directory=" + source,
                        "--files-from=" + os.path.join(source, "po", "POTFILES"), "-o", template], check=True)
        for language in languages:
            merged = os.path.join(folder, language + ".po")
            subprocess.run(["msgmerge", "--quiet", "--no-fuzzy-matching", "-o", merged, os.path.join(source, "po", language + ".po"), template],
                           check=True)
            said = subprocess.run(["msgfmt", "-c", "--check-accelerators=_", "--statistics", "-o", os.devnull, merged],
                                  check=True, capture_output=True, text=True, env={**os.environ, "LC_ALL": "C"}).stderr
            translated = int(re.search(r"(\d+) translated", said)[1])
            missing = sum(int(n) for n in re.findall(r"(\d+) (?:untranslated|fuzzy)", said))
            print(f"# {language}: {translated} translated, {missing} missing")
            assert translated >= 400 and missing == 0, f"{language}: {said}"


def menus_have_letters_of_their_own():
    """In each menu a letter is underlined once, in English and in this language: else it only moves the keyboard."""
    words = gettext.translation("wakepath", os.environ["WAKEPATH_LOCALEDIR"], [language])

    def labels(menu):
        for child in menu:
            if child.tag == "section":
                yield from labels(child)
            elif child.tag in ("item", "submenu"):
                yield next(each.text for each in child.findall("attribute") if each.get("name") == "label")
    for path in glob.glob(os.path.join(source, "ui", "*.ui")):
        root = ElementTree.parse(path).getroot()
        for menu in [*root.iter("menu"), *root.iter("submenu")]:
            for translated in str, words.gettext:
                underlined = collections.defaultdict(list)
                for label in map(translated, labels(menu)):
                    if "_" in label:
                        underlined[label[label.index("_") + 1].lower()].append(label)
                twice = [several for several in underlined.values() if len(several) > 1]
                assert not twice, (path, menu.get("id"), twice)


def starts():
    global program
    program = Program([wakepath, scenario], "wakepath")
    program.find(say["record"], "label")
    program.find(say["processes"], "label")
    program.done_when(lambda: program.click(program.find(r"A \(10\)", "push button")), lambda: program.there(say["flame view"], "panel"), "the flame view")


def categories():
    until("an explanation", lambda: say["understood"] in program.table(say["table"]))
    table = program.table(say["table"])
    assert say["unexplained"] not in table, table
    program.find(say["rest"], "list item")
    program.find(say["explained"], "label")
    program.find_text(say["took"])


def boxes():
    """What layouts write into boxes is found by its name in this language."""
    program.search(say["request"], say["two boxes"])
    program.key("Return")
    program.find_text(say["sectors"])
    program.find(say["in the queue"], "label")
    program.key("Escape")
    shot("boxes")
    program.search(say["queued"], say["a box"])
    program.key("Escape")


def details():
    """What an operation is said to be."""
    program.search("vfs_read", say["some boxes"])
    program.key("Return")
    program.find_text(say["one of one"])
    program.key("Escape")
    program.find_text(say["sleeps"])


def fits_a_small_screen():
    """Longer words make no wider window: what is at its edge stays on the screen."""
    screen.resize(program.window, 900, 600)
    shot("small")
    width = screen.geometry(program.window)[2]
    assert width <= 1024, width


def narrow_window():
    """Half of a small screen: what is most important keeps its name, the views' names stand at the bottom, and the side panel comes
    over the picture instead of making the window wider."""
    def width():
        return screen.geometry(program.window)[2]

    def panel():
        return program.there(say["store"], "page tab")

    def views_below():
        flames = program.last(say["flame"], "push button")
        return flames and program.place(flames)[1] > program.place(program.find(say["record"], "push button"))[1] + 200
    screen.resize(program.window, 620, 600)
    until("the views at the bottom", views_below)
    until("the panel to go", lambda: not panel())
    assert width() == 620, width()
    x, y, wide, high = program.place(program.find(say["record"], "push button"))
    assert wide > 3 * high, (wide, high)
    program.key("F9")
    tab = until("the panel", panel)
    until("the panel in its place", lambda: program.place(tab)[0] > program.place(program.last(say["record"], "push button"))[0] + 280)
    assert width() == 620, width()
    shot("narrow")
    program.key("Escape")
    until("the panel to go", lambda: not panel())
    program.click(program.last(say["consolidated"], "push button"))
    program.find(say["consolidated view"], "panel")
    screen.resize(program.window, 1200, 600)
    until("the panel again", panel)
    until("the views at the top", lambda: not views_below())


def close():
    program.quit()


steps = [all_files_are_listed, translations_are_complete, menus_have_letters_of_their_own, starts, categories, boxes, details, fits_a_small_screen, narrow_window, close]
failed = run_steps(steps, start, shot)
if program:
    program.end()
sys.exit(failed)
