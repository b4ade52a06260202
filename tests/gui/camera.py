"""What a Wayland compositor shows, by the protocol wlr-screencopy: a program that is started for each look takes ten times as long."""
import mmap
import os
import struct

from wayland import Connection

BUFFER, READY, FAILED = 0, 2, 3  # what a frame tells


class Camera:
    def __init__(self):
        self.connection = Connection()
        self.screen, self.copies = self.connection.bind("wl_output", 1), self.connection.bind("zwlr_screencopy_manager_v1", 1)
        self.buffer = self.pixels = None

    def _make_buffer(self, kind, width, height, stride):
        """Shared with the compositor, which puts the pixels there."""
        connection, size = self.connection, stride * height
        shared, pool, self.buffer = connection.bind("wl_shm", 1), connection.new(), connection.new()
        file = os.memfd_create("screen")
        os.ftruncate(file, size)
        self.pixels = mmap.mmap(file, size)
        connection.send(shared, 0, "ni", pool, size, descriptor=file)
        connection.send(pool, 0, "niiiiu", self.buffer, 0, width, height, stride, kind)
        os.close(file)

    def look(self):
        """The pixels as they are now, until the next look."""
        connection, frame = self.connection, self.connection.new()
        connection.send(self.copies, 0, "niu", frame, 0, self.screen)
        _, wanted = connection.wait(frame, BUFFER)
        if self.buffer is None:
            self._make_buffer(*struct.unpack("=IIII", wanted))
        connection.send(frame, 0, "u", self.buffer)  # copy
        if connection.wait(frame, READY, FAILED)[0] == FAILED:
            raise RuntimeError("the compositor gives no picture")
        connection.send(frame, 1)  # destroy
        return self.pixels
