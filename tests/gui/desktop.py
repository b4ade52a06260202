"""Drives a real window: reads it through AT-SPI, moves the pointer and types by `screen`; runs steps as a TAP test.

Everything waits for what it expects, up to a limit, instead of sleeping. Run under tests/xrun with a window manager, or under tests/wlrun.
`screen` is the display's: screen_x11.py or screen_wayland.py.
"""
import os
import re
import subprocess
import sys
import time
import traceback

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from accessible import act, application, children, description, everything, extents, name, text  # noqa: E402,F401

ON_WAYLAND = "SWAYSOCK" in os.environ
if ON_WAYLAND:
    import screen_wayland as screen  # noqa: E402
else:
    import screen_x11 as screen  # noqa: E402


class Expired(AssertionError):
    pass


def until(what, ask, limit=40.0):
    """Asks until the answer is anything but nothing (None, False, empty), and returns it. A limit is far above what a busy
    machine needs: it is waited for only where something is wrong. Asking costs the program time: it has twice as much without, and what has taken
    long is asked for less often."""
    start = time.monotonic()
    end = start + limit
    while True:
        begun = time.monotonic()
        answer = ask()
        if answer:
            return answer
        if time.monotonic() > end:
            raise Expired(f"waited {limit:g} s for: {what}")
        now = time.monotonic()
        time.sleep(max(0.03, 2 * (now - begun), (now - start) / 10))


def still(limit=3.0):
    """Waits until the screen shows the same for a few frames: what was asked for last is drawn, and animations are over. What moves by
    itself, as a spinner does, is waited for no longer than the limit."""
    end, before, now = time.monotonic() + limit, None, screen.shown()
    while now != before and time.monotonic() < end:
        time.sleep(0.08)
        before, now = now, screen.shown()


class Program:
    """A started program and its windows."""

    def __init__(self, command, title, **how):
        """how: more arguments of Popen."""
        self.pressed_until = 0.0
        self.process = subprocess.Popen(command, stdout=sys.stderr, **how)
        self.root = until(f"{title} on the accessibility bus", lambda: application(title), 60)
        self.window = until("a window", lambda: screen.windows_of(self.process.pid), 60)[-1]
        screen.activate(self.window)

    def find(self, pattern, role=None, limit=40.0):
        """The first widget shown whose whole name matches."""
        def ask():
            return next((node for node in everything(self.root)
                         if re.fullmatch(pattern, node.name) and (role is None or node.role == role)), None)
        return until(f"{role or 'widget'} “{pattern}”", ask, limit)

    def last(self, pattern, role=None):
        """The last of those shown now, or None: pages and views that were left keep their size, and stand before it."""
        found = [node for node in everything(self.root)
                 if re.fullmatch(pattern, node.name) and (role is None or node.role == role)]
        return found[-1] if found else None

    def there(self, pattern, role=None):
        try:
            return self.find(pattern, role, 0)
        except Expired:
            return None

    def find_text(self, pattern, limit=40.0):
        """The first label shown whose text contains a match; returns the match."""
        def ask():
            for node in everything(self.root):
                found = re.search(pattern, node.name)
                if found and node.role == "label":
                    return found
            return None
        return until(f"text “{pattern}”", ask, limit)

    def says(self, pattern):
        """Whether a label that is shown now matches."""
        try:
            return self.find_text(pattern, 0)
        except Expired:
            return None

    def windows(self):
        return children(self.root)

    @staticmethod
    def has_top_level(title):
        """The windows of the screen with this title that are there now."""
        return screen.titled(title)

    def top_level(self, title, limit=40.0):
        """The window of the screen with this title, brought to the front."""
        found = until(f"window “{title}”", lambda: self.has_top_level(title), limit)
        screen.activate(found[-1])
        return found[-1]

    def place(self, node, window=None):
        """Where a widget is on the screen: x, y, width, height."""
        left, top = screen.content(window or self.window)
        x, y, width, height = extents(node)
        return left + x, top + y, width, height

    def point(self, node, window=None, at=(0.5, 0.5)):
        """Moves the pointer to a place of a widget, in parts of its size."""
        before, now = None, extents(node)
        while now != before:  # what moves is followed
            x, y, width, height = self.place(node, window)
            screen.move(x + width * at[0], y + height * at[1])
            time.sleep(0.1)  # as a hand does: first there, then the button
            before, now = now, extents(node)

    def click(self, node, window=None, button=1, times=1, at=(0.5, 0.5)):
        self.let_go()
        still(0.5)  # a menu that closes, or a row that comes, is still to be drawn
        self.point(node, window, at)
        end = time.monotonic() + 2
        while not screen.is_pointer_over(window or self.window) and time.monotonic() < end:
            time.sleep(0.1)
        screen.click(button, times)

    def let_go(self):
        time.sleep(max(0, self.pressed_until - time.monotonic()))

    def key(self, *keys):
        self.let_go()
        screen.key(*keys)

    @staticmethod
    def quit_from_desktop():
        """As a task bar asks it to quit: no dialog keeps that from it, as it does keys. Until the program has answered."""
        subprocess.run(["gapplication", "action", "org.wakepath.Wakepath", "quit"], check=True)

    def type(self, words):
        self.let_go()
        screen.type_words(words)

    def done_when(self, do, happened, what, patience=5, undo=None):
        """Does something by mouse or keyboard until it is seen to have happened, and returns what `happened` does: a click or a key
        that comes while a dialog or a tooltip goes away, or while rows move, is lost. `undo`: before it is done once more."""
        end, again = time.monotonic() + 90, False
        while True:
            try:
                do()
            except Expired:  # the first time was enough: what it was done to is gone
                if not again:
                    raise
            try:
                return until(what, happened, patience)
            except Expired:
                if time.monotonic() > end:
                    raise
                again = True
                print(f"# retried: {what}", flush=True)
                if undo is not None:
                    undo()

    def symbols_read(self):
        """The bar that tells of it goes then, and the rows move up: a click would meet another one."""
        until("the symbols to be read", lambda: not self.says("^Reading symbols$"))

    def menu_gone(self):
        """What was chosen in it happens before: a click that comes then only closes it."""
        until("the menu to go", lambda: not any(node.role == "menu" for node in everything(self.root)))

    def from_menu(self, item, letter, happened, what):
        """Of the selected box' menu: by the letter that is underlined."""
        def choose():
            self.key("shift+F10")
            try:
                self.find(item, limit=5)
            except Expired:
                return
            still()
            self.key(letter)
        done = self.done_when(choose, happened, what, 10, undo=lambda: self.there(item) and self.key("Escape"))
        self.menu_gone()
        return done

    def search(self, words, found):
        """Types into the search bar, until it says that (a pattern). While a menu goes away the keyboard is the picture's."""
        def enter():
            self.key("ctrl+f", "ctrl+a")
            self.type(words)
        return self.done_when(enter, lambda: self.says(found), f"{words} to be found", 6)

    def compare_with(self, path):
        """From the main menu."""
        def ask():
            self.key("Escape", "Escape", "F10")  # a menu that is still open goes first
            try:
                self.find("Compare With…", limit=10)
            except Expired:
                return
            still()
            self.key("c")
        self.choose_file("Compare With", path, ask)

    def choose_file(self, title, path, opens=None):
        """Types a path into a file chooser and accepts. `opens`: what brings the chooser up, repeated until it does."""
        if opens is not None:
            self.done_when(opens, lambda: self.has_top_level(title), f"window “{title}”", 20)
        window = self.top_level(title)
        still()
        self.key("ctrl+a")
        self.type(path)
        still()
        self.key("Return")
        until(f"“{title}” to close", lambda: window not in self.has_top_level(title))
        screen.activate(self.window)
        still()

    # --- what windows of this program have ---

    def list_rows(self, list_name):
        return self.find(list_name, "list").children

    def table(self, list_name="Explanation"):
        """The explanation: name → (time, share), sub-rows too."""
        table = {}
        for row in self.list_rows(list_name):
            found = re.fullmatch(r"(.+?), ([^,]+), ([^,]+)(?:, latency [^,]+)?", row.name)
            if found:
                table[found[1]] = (found[2], found[3])
        return table

    def accounted(self):
        """The figure in front of “explained”."""
        caption = self.find("explained.*", "label")
        return float(caption.parent.children[0].name.removesuffix(" %"))

    def press_until(self, button, text):
        """For a button that may be pressed again: a click that meets a tooltip's window is lost."""
        return self.done_when(lambda: self.click(self.find(button, "push button")), lambda: self.says(text),
                              f"{button} to lead to {text}", 3)

    def choose(self, drop_down, which, happened, window=None):
        """The row of this number in the list of a drop-down, by the keyboard. The list is a window of its own, which may take
        the keyboard late: what was not chosen is tried again from the start. Returns what `happened` does."""
        def lists():
            return sum(node.role == "list" for node in everything(self.root))

        others = lists()

        def pick():
            nonlocal others
            others = lists()
            self.click(self.last(drop_down, "combo box") or self.find(drop_down, "combo box"), window)
            try:
                until("the list", lambda: lists() > others, 8)
            except Expired:
                return
            still()
            self.key("Home", *["Down"] * which, "Return")

        def close():  # Escape where there is no list would close a dialog, or ask whether a recording is to end
            for _ in range(3):  # the first one may empty the list's search
                if lists() > others:
                    self.key("Escape")
                    still()
            screen.activate(window or self.window)  # whose keyboard the list has
        return self.done_when(pick, happened, f"row {which} of “{drop_down}”", 4, close)

    def open_submenu(self, submenu, key, item):
        """Of the main menu, by its mnemonic, which is typed again from the start where it came too early; returns its item of this name."""
        def open_menu():
            self.key("F10")
            try:
                self.find(submenu, limit=3)
            except Expired:
                return
            still()
            self.key(key)

        def shown():
            return self.there(item)

        def close():  # where there is no menu Escape would take away what is selected
            for _ in range(3):
                if any(node.role == "menu" for node in everything(self.root)):
                    self.key("Escape")
                    still()
        found = self.done_when(open_menu, shown, f"the menu {submenu}", 3, close)
        still()
        return found

    def choose_in_menu(self, submenu, key, item, item_key):
        """An item of a submenu of the main menu, by their mnemonics."""
        self.open_submenu(submenu, key, item)

        def is_open():
            return any(node.role == "menu" for node in everything(self.root))

        def choose():  # while the submenu slides in, a letter that both pages have only moves the keyboard
            if is_open():
                self.key(item_key)
        self.done_when(choose, lambda: not is_open(), f"{item} to be chosen", 10)

    def open_row(self, pattern, happened):
        """A row of a list by a double click; what is open already is shown again."""
        def double_click():
            row = self.last(pattern)  # a pending profile of the same name stands before a registered one
            if row is not None:
                self.click(row, times=2)
        return self.done_when(double_click, happened, f"{pattern} to open", 8)

    def press(self, button):
        """Not by the pointer, whose click is lost where a tooltip lies over the button. GTK lets go of the button 250 ms later: keys and clicks come after
        that."""
        act(self.find(button, "push button"))
        self.pressed_until = time.monotonic() + 0.4

    def bring_up(self, node, over):
        """Turns the wheel over something until a node is above the lower edge of the window: what stands above it may be long."""
        def is_seen():
            _, y, _, height = self.place(node)
            _, top, _, window_height = screen.geometry(self.window)
            return y + height < top + window_height - 60  # what is below the lists

        while not is_seen():
            before = self.place(node)
            self.point(over)
            screen.wheel(2)
            until("it to move up", lambda: self.place(node) != before)

    def show_head_of_panel(self):
        """The side panel of a recording scrolls as one."""
        self.point(self.find("Longest Waits", "label"))
        screen.wheel(-20)
        still()

    def choose_row(self, row, button):
        """A row of a list, until what can be done with it is possible: where rows are still coming it moves away from the pointer."""
        self.done_when(lambda: self.click(self.find(row)), lambda: self.sensitive(button), f"{button} to be possible")

    def show_panel(self, page):
        """A page of the side panel."""
        def tab():
            return self.find(page, "page tab")
        self.done_when(lambda: self.click(tab()), lambda: tab().selected, f"the panel’s page {page}", 3)

    def sensitive(self, button):
        return self.find(button, "push button").sensitive

    def press_away(self, button):
        """For a button that goes away when it is pressed; see press_until()."""
        def ask():
            node = self.there(button, "push button")
            if node is None:
                return True
            self.click(node)
            still()
            return self.there(button, "push button") is None
        self.find(button, "push button")
        until(f"{button} to go away", ask)

    def quit(self):
        """By the keyboard, as a user does; it must end in order."""
        def ended():
            return self.process.poll() is not None
        self.done_when(lambda: ended() or self.key("ctrl+q"), ended, "the program to end", 10)
        assert self.process.returncode == 0, f"the program ended with {self.process.returncode}"

    @staticmethod
    def screenshot(path):
        screen.picture(path)

    def end(self):
        """Tells it to end, if it has not, and fails where that was not in order: it crashed, or a sanitizer said something."""
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(60)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        assert self.process.returncode == 0, f"the program ended with {self.process.returncode}"


def run_steps(steps, start, shot):
    """Runs steps one after the other, each building on those before it, as TAP. `start` starts the program; `shot` takes a
    picture with a name. A step that cannot be made here returns why. Returns whether something failed."""
    print(f"1..{len(steps)}")
    number, step = 0, start
    try:
        start()
        for number, step in enumerate(steps, 1):
            skipped = step()
            print(f"ok {number} {step.__name__}" + (f" # SKIP {skipped}" if skipped else ""), flush=True)
        return False
    except Exception as problem:  # whatever it is, the rest builds on it
        for line in traceback.format_exc().splitlines():
            print("#", line)
        print(f"not ok {max(number, 1)} {step.__name__} # {problem}")
        if number > 0:
            shot("failure")
        print("Bail out! the next steps build on this one")
        return True


def take_shot(program, folder, which):
    """A picture of the screen once what was asked for last has been drawn."""
    still()
    program.screenshot(os.path.join(folder, which + ".png"))
