"""A client of a Wayland compositor, straight on the socket: what a few of its protocols need takes a few dozen lines in place of another package."""
import array
import os
import socket
import struct
import time

DISPLAY, REGISTRY = 1, 2


def fixed(value):
    """A number with decimals, as the protocol has it."""
    return round(value * 256)


def now():
    """In ms, for events."""
    return int(time.monotonic() * 1000) & 0xffffffff


class Connection:
    def __init__(self):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(os.environ["WAYLAND_DISPLAY"])
        self.next_id, self.globals, self.rest = DISPLAY, {}, b""
        self.send(DISPLAY, 1, "n", self.new())  # get_registry
        self.round_trip()

    def new(self):
        self.next_id += 1
        return self.next_id

    def send(self, thing, opcode, kinds="", *arguments, descriptor=None):
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

    def _next_event(self):
        while len(self.rest) < 8 or len(self.rest) < struct.unpack_from("=I", self.rest, 4)[0] >> 16:
            received = self.socket.recv(65536)
            if not received:
                raise RuntimeError("the compositor is gone")
            self.rest += received
        thing, word = struct.unpack_from("=II", self.rest)
        body, self.rest = self.rest[8:word >> 16], self.rest[word >> 16:]
        return thing, word & 0xffff, body

    def wait(self, wanted, *opcodes):
        """Until a thing tells one of these. Returns which, and what comes with it."""
        while True:
            thing, opcode, body = self._next_event()
            if thing == DISPLAY and opcode == 0:
                raise RuntimeError(f"the compositor says: {body[12:]!r}")
            if thing == REGISTRY and opcode == 0:
                name, length = struct.unpack_from("=II", body)
                self.globals[body[8:8 + length - 1].decode()] = name
            if thing == wanted and opcode in opcodes:
                return opcode, body

    def round_trip(self):
        """Until all that was said has been done."""
        callback = self.new()
        self.send(DISPLAY, 0, "n", callback)  # sync
        self.wait(callback, 0)

    def bind(self, interface, version):
        bound = self.new()
        self.send(REGISTRY, 0, "usun", self.globals[interface], interface, version, bound)
        return bound
