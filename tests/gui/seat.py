"""A pointer and a keyboard of a Wayland compositor that is no device: what they do comes to programs as that of devices does.

Speaks the protocols wlr-virtual-pointer and virtual-keyboard, which wlroots' compositors have (sway, in tests/wlrun), straight on the
socket: three dozen lines in place of another package.
"""
import array
import os
import socket
import struct
import tempfile
import time

DISPLAY, REGISTRY = 1, 2
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


def fixed(value):
    return round(value * 256)


class Seat:
    def __init__(self, width, height):
        self.size = width, height
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(os.environ["WAYLAND_DISPLAY"])
        self.next_id, self.globals, self.rest = DISPLAY, {}, b""
        self.mask = 0  # of the modifiers that are held
        self._send(DISPLAY, 1, "n", self._new())  # get_registry
        self._round_trip()
        seat = self._bind("wl_seat", 1)
        pointers, keyboards = self._bind("zwlr_virtual_pointer_manager_v1", 1), self._bind("zwp_virtual_keyboard_manager_v1", 1)
        self.pointer, self.keyboard = self._new(), self._new()
        self._send(pointers, 0, "un", seat, self.pointer)
        self._send(keyboards, 0, "un", seat, self.keyboard)
        self._give_keymap()
        self._round_trip()

    # --- the protocol ---

    def _new(self):
        self.next_id += 1
        return self.next_id

    def _send(self, thing, opcode, kinds="", *arguments, descriptor=None):
        """kinds: u and n numbers, i signed, s text."""
        body = b""
        for kind, value in zip(kinds, arguments):
            if kind == "s":
                text = value.encode() + b"\0"
                body += struct.pack("=I", len(text)) + text + bytes(-len(text) % 4)
            else:
                body += struct.pack("=i" if kind == "i" else "=I", value)
        message = struct.pack("=II", thing, (8 + len(body)) << 16 | opcode) + body
        beside = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [descriptor]))] if descriptor is not None else []
        self.socket.sendmsg([message], beside)

    def _events(self):
        received = self.socket.recv(65536)
        if not received:
            raise RuntimeError("the compositor is gone")
        self.rest += received
        while len(self.rest) >= 8:
            thing, word = struct.unpack_from("=II", self.rest)
            if len(self.rest) < word >> 16:
                return
            yield thing, word & 0xffff, self.rest[8:word >> 16]
            self.rest = self.rest[word >> 16:]

    def _round_trip(self):
        """Until all that was said has been done."""
        callback = self._new()
        self._send(DISPLAY, 0, "n", callback)  # sync
        done = False
        while not done:
            for thing, opcode, body in self._events():
                if thing == DISPLAY and opcode == 0:
                    raise RuntimeError(f"the compositor says: {body[12:]!r}")
                if thing == REGISTRY and opcode == 0:
                    name, length = struct.unpack_from("=II", body)
                    self.globals[body[8:8 + length - 1].decode()] = name
                done |= thing == callback

    def _bind(self, interface, version):
        bound = self._new()
        self._send(REGISTRY, 0, "usun", self.globals[interface], interface, version, bound)
        return bound

    def _give_keymap(self):
        with tempfile.TemporaryFile() as file:
            file.write(KEYMAP.encode())
            file.flush()
            self._send(self.keyboard, 0, "uu", 1, len(KEYMAP), descriptor=file.fileno())

    @staticmethod
    def _now():
        return int(time.monotonic() * 1000) & 0xffffffff

    # --- the pointer ---

    def move(self, x, y):
        self._send(self.pointer, 1, "uuuuu", self._now(), round(x), round(y), *self.size)
        self._send(self.pointer, 4)
        self._round_trip()

    def button(self, button, down):
        self._send(self.pointer, 2, "uuu", self._now(), BUTTONS[button], down)
        self._send(self.pointer, 4)
        self._round_trip()

    def click(self, button=1, times=1):
        for _ in range(times):
            self.button(button, 1)
            time.sleep(0.03)
            self.button(button, 0)
            time.sleep(0.03)

    def wheel(self, notches, axis=VERTICAL):
        for _ in range(abs(notches)):
            self._send(self.pointer, 5, "u", WHEEL)
            self._send(self.pointer, 7, "uuii", self._now(), axis, fixed(15 if notches > 0 else -15), 1 if notches > 0 else -1)
            self._send(self.pointer, 4)
            self._round_trip()

    def fingers(self, pixels, axis=VERTICAL, steps=10):
        """Two fingers on a touchpad, and their lifting."""
        for _ in range(steps):
            self._send(self.pointer, 5, "u", FINGER)
            self._send(self.pointer, 3, "uui", self._now(), axis, fixed(pixels / steps))
            self._send(self.pointer, 4)
            self._round_trip()
            time.sleep(0.01)
        self._send(self.pointer, 5, "u", FINGER)
        self._send(self.pointer, 6, "uu", self._now(), axis)
        self._send(self.pointer, 4)
        self._round_trip()

    # --- the keyboard ---

    def _press(self, code, down):
        self._send(self.keyboard, 1, "uuu", self._now(), code, down)

    def _modify(self, mask):
        self._send(self.keyboard, 2, "uuuu", mask, 0, 0, 0)

    def hold(self, modifier):
        code, mask = MODIFIERS[modifier]
        self._press(code, 1)
        self.mask |= mask
        self._modify(self.mask)
        self._round_trip()

    def let_go(self, modifier):
        code, mask = MODIFIERS[modifier]
        self._press(code, 0)
        self.mask &= ~mask
        self._modify(self.mask)
        self._round_trip()

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
        self._round_trip()
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
