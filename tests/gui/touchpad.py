"""Pinches of a touchpad, for a program on a Wayland compositor: no compositor without a screen can be given such a touchpad.

All that the program and the compositor say to each other goes through here, as it is. To what the compositor says, pinches are added, in the words of
its own protocol (pointer-gestures), on the surface that the pointer is over.
"""
import os
import select
import socket
import struct
import threading
import time

from wayland import fixed, now

BIND, GET_PINCH = 0, 1  # requests of a registry and of the gestures
ENTER = 0               # event of a pointer
BEGIN, UPDATE, END = 0, 1, 2
FINGERS = 2


class Stream:
    """One direction: what comes in pieces, and files with it, goes on in whole messages."""

    def __init__(self, source, target, hear):
        self.source, self.target, self.hear = source, target, hear
        self.rest, self.files = b"", []

    def go_on(self):
        """Whether there is more to come."""
        received, files, _, _ = socket.recv_fds(self.source, 65536, 64)
        self.rest += received
        self.files += files
        end = 0
        while len(self.rest) >= end + 8:
            thing, word = struct.unpack_from("=II", self.rest, end)
            if len(self.rest) < end + (word >> 16):
                break
            self.hear(thing, word & 0xffff, self.rest[end + 8:end + (word >> 16)])
            end += word >> 16
        if end > 0:
            sent = socket.send_fds(self.target, [self.rest[:end]], self.files)
            self.target.sendall(self.rest[sent:end])
            for file in self.files:
                os.close(file)
            self.rest, self.files = self.rest[end:], []
        return bool(received)


class Touchpad:
    def __init__(self):
        self.compositor = socket.socket(socket.AF_UNIX)
        self.program, self.theirs = socket.socketpair(socket.AF_UNIX)
        self.gestures = self.pinch_of_program = self.pointer = self.surface = None
        self.said = threading.Lock()  # whoever says something to the program ends it before another begins

    def between(self):
        """How a program is started that is to have it: arguments of Popen. The program itself connects, so that its windows are its own to the compositor."""
        threading.Thread(target=self._pass_on, daemon=True).start()
        return {"env": {**os.environ, "WAYLAND_SOCKET": str(self.theirs.fileno())}, "pass_fds": [self.theirs.fileno()],
                "preexec_fn": lambda: self.compositor.connect(os.environ["WAYLAND_DISPLAY"])}

    def _hear_program(self, thing, opcode, body):
        if opcode == BIND and b"zwp_pointer_gestures_v1\0" in body:
            self.gestures, = struct.unpack("=I", body[-4:])
        elif thing == self.gestures and opcode == GET_PINCH:
            self.pinch_of_program, self.pointer = struct.unpack("=II", body)

    def _hear_compositor(self, thing, opcode, body):
        if thing == self.pointer and opcode == ENTER:
            _, self.surface, _, _ = struct.unpack("=IIii", body)

    def _pass_on(self):
        ways = {self.program: Stream(self.program, self.compositor, self._hear_program),
                self.compositor: Stream(self.compositor, self.program, self._hear_compositor)}
        select.select([self.program], [], [])  # it has connected, and says something
        self.theirs.close()
        going_on = True
        while going_on:
            for source in select.select(list(ways), [], [])[0]:
                with self.said:
                    try:
                        going_on = going_on and ways[source].go_on()
                    except ConnectionError:  # one of them has gone in the midst of a word
                        going_on = False
        self.program.close()
        self.compositor.close()

    def _say(self, opcode, kinds, *arguments):
        body = struct.pack("=" + kinds, *arguments)
        with self.said:
            self.program.sendall(struct.pack("=II", self.pinch_of_program, (8 + len(body)) << 16 | opcode) + body)

    def pinch(self, scale, steps=10):
        """Two fingers that move apart (more than 1) or together, where the pointer is."""
        self._say(BEGIN, "IIII", 1, now(), self.surface, FINGERS)
        for step in range(1, steps + 1):
            self._say(UPDATE, "Iiiii", now(), 0, 0, fixed(scale ** (step / steps)), 0)
            time.sleep(0.01)
        self._say(END, "IIi", 1, now(), 0)
