"""A pointer and a keyboard of a Wayland compositor that is no device: what they do comes to programs as that of devices does.

Speaks the protocols wlr-virtual-pointer and virtual-keyboard, which wlroots' compositors have (sway, in tests/wlrun).
"""
import tempfile
import time

from wayland import Connection, fixed, now

KEYMAP = """xkb_keymap {
  xkb_keycodes { include "evdev+aliases(qwerty)" };
  xkb_types { include "complete" };
  xkb_compat { include "complete" };
  xkb_symbols { include "pc+us+inet(evdev)" };
};
\0"""
# Numbers of keys as the kernel has them.
ROWS = {1: "\x1b1234567890-=", 15: "\tqwertyuiop[]\n", 30: "asdfghjkl;'`", 43: "\\zxcvbnm,./", 57: " "}
CODES = {character: first + i for first, row in ROWS.items() for i, character in enumerate(row)}
SHIFTED = dict(zip('!@#$%^&*()_+{}:"~|<>?', "1234567890-=[];'`\\,./"))
NAMED = {"Escape": 1, "Tab": 15, "Return": 28, "space": 57, "Home": 102, "Up": 103, "Left": 105, "Right": 106, "End": 107,
         "Down": 108, "Delete": 111, "BackSpace": 14, "Page_Up": 104, "Page_Down": 109, "Insert": 110, "Menu": 127,
         **{f"F{n}": 58 + n for n in range(1, 11)}, "F11": 87, "F12": 88, "KP_Enter": 96, "KP_Add": 78, "KP_Subtract": 74}
SIGNS = {"comma": ",", "period": ".", "slash": "/", "backslash": "\\", "minus": "-", "equal": "=", "plus": "+", "question": "?", "colon": ":",
         "semicolon": ";", "asterisk": "*", "bracketleft": "[", "bracketright": "]"}
MODIFIERS = {"shift": (42, 1), "ctrl": (29, 4), "alt": (56, 8)}  # key, mask
BUTTONS = {1: 0x110, 2: 0x112, 3: 0x111}
VERTICAL, HORIZONTAL = 0, 1
WHEEL, FINGER = 0, 1


class Seat:
    def __init__(self, width, height):
        self.size = width, height
        self.connection = Connection()
        self.mask = 0  # of the modifiers that are held
        bind, new = self.connection.bind, self.connection.new
        seat = bind("wl_seat", 1)
        pointers, keyboards = bind("zwlr_virtual_pointer_manager_v1", 1), bind("zwp_virtual_keyboard_manager_v1", 1)
        self.pointer, self.keyboard = new(), new()
        self.connection.send(pointers, 0, "un", seat, self.pointer)
        self.connection.send(keyboards, 0, "un", seat, self.keyboard)
        self._give_keymap()
        self.connection.round_trip()

    def _give_keymap(self):
        with tempfile.TemporaryFile() as file:
            file.write(KEYMAP.encode())
            file.flush()
            self.connection.send(self.keyboard, 0, "uu", 1, len(KEYMAP), descriptor=file.fileno())

    # --- the pointer ---

    def move(self, x, y):
        self.connection.send(self.pointer, 1, "uuuuu", now(), round(x), round(y), *self.size)
        self.connection.send(self.pointer, 4)
        self.connection.round_trip()

    def button(self, button, down):
        self.connection.send(self.pointer, 2, "uuu", now(), BUTTONS[button], down)
        self.connection.send(self.pointer, 4)
        self.connection.round_trip()

    def click(self, button=1, times=1):
        for _ in range(times):
            self.button(button, 1)
            time.sleep(0.03)
            self.button(button, 0)
            time.sleep(0.03)

    def wheel(self, notches, axis=VERTICAL):
        for _ in range(abs(notches)):
            self.connection.send(self.pointer, 5, "u", WHEEL)
            self.connection.send(self.pointer, 7, "uuii", now(), axis, fixed(15 if notches > 0 else -15), 1 if notches > 0 else -1)
            self.connection.send(self.pointer, 4)
            self.connection.round_trip()

    def fingers(self, pixels, axis=VERTICAL, steps=10):
        """Two fingers on a touchpad, and their lifting."""
        for _ in range(steps):
            self.connection.send(self.pointer, 5, "u", FINGER)
            self.connection.send(self.pointer, 3, "uui", now(), axis, fixed(pixels / steps))
            self.connection.send(self.pointer, 4)
            self.connection.round_trip()
            time.sleep(0.01)
        self.connection.send(self.pointer, 5, "u", FINGER)
        self.connection.send(self.pointer, 6, "uu", now(), axis)
        self.connection.send(self.pointer, 4)
        self.connection.round_trip()

    # --- the keyboard ---

    def _press(self, code, down):
        self.connection.send(self.keyboard, 1, "uuu", now(), code, down)

    def _modify(self, mask):
        self.connection.send(self.keyboard, 2, "uuuu", mask, 0, 0, 0)

    def hold(self, modifier):
        code, mask = MODIFIERS[modifier]
        self._press(code, 1)
        self.mask |= mask
        self._modify(self.mask)
        self.connection.round_trip()

    def let_go(self, modifier):
        code, mask = MODIFIERS[modifier]
        self._press(code, 0)
        self.mask &= ~mask
        self._modify(self.mask)
        self.connection.round_trip()

    def _stroke(self, key, modifiers=()):
        """Of a key by its name, or of a character: one that takes shift gets it, as from xdotool."""
        sign = SIGNS.get(key, key)
        base = SHIFTED.get(sign, sign if sign in NAMED else sign.lower())
        if base != sign and "shift" not in modifiers:
            modifiers = (*modifiers, "shift")
        for modifier in modifiers:
            self.hold(modifier)
        code = NAMED.get(base) or CODES[base]
        self._press(code, 1)
        self._press(code, 0)
        self.connection.round_trip()
        for modifier in reversed(modifiers):
            self.let_go(modifier)
        time.sleep(0.02)

    def key(self, words):
        """As xdotool has it: "ctrl+shift+c", "Return", "a"."""
        *modifiers, name = words.split("+")
        self._stroke(name, modifiers)

    def type(self, text):
        for character in text:
            self._stroke(character)
