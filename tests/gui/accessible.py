"""The accessible objects of a running GTK program, over D-Bus: all at once (by the program accessible-tree), or one that is held.
"""
import os
import subprocess

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, Gio, GLib  # noqa: E402

ACCESSIBLE, COMPONENT, TEXT = "org.a11y.atspi.Accessible", "org.a11y.atspi.Component", "org.a11y.atspi.Text"
ACTION, PROPERTIES = "org.a11y.atspi.Action", "org.freedesktop.DBus.Properties"
ROOT = "/org/a11y/atspi/accessible/root"
WINDOW = GLib.Variant("(u)", (Atspi.CoordType.WINDOW,))
TIME_LIMIT_MS = 30000

_connection = _tree = None


class Node:
    """What an object was when it was read. `extents` in its window: x, y, width, height."""

    def __init__(self, bus, path):
        self.bus, self.path = bus, path
        self.name, self.role, self.states, self.has_text = "", "", 0, False
        self.parent, self.children, self.extents = None, [], None

    @property
    def sensitive(self):
        return self._has_state(Atspi.StateType.SENSITIVE)

    @property
    def selected(self):
        return self._has_state(Atspi.StateType.SELECTED)

    @property
    def focused(self):
        return self._has_state(Atspi.StateType.FOCUSED)

    @property
    def pressed(self):
        return self._has_state(Atspi.StateType.PRESSED)

    @property
    def checked(self):
        return self._has_state(Atspi.StateType.CHECKED)

    def _has_state(self, state):
        return bool(self.states >> int(state) & 1)

    def __repr__(self):
        return f"{self.role} “{self.name}”"


def _bus():
    global _connection
    if _connection is None:
        session = Gio.bus_get_sync(Gio.BusType.SESSION, None)
        address = session.call_sync("org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress", None, None,
                                    Gio.DBusCallFlags.NONE, TIME_LIMIT_MS, None).unpack()[0]
        flags = Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION
        _connection = Gio.DBusConnection.new_for_address_sync(address, flags, None, None)
    return _connection


def _ask(bus, path, interface, method, arguments=None):
    """The answer, or None: the object went away, or has no such interface."""
    try:
        return _bus().call_sync(bus, path, interface, method, arguments, None, Gio.DBusCallFlags.NONE, TIME_LIMIT_MS, None).unpack()
    except GLib.Error:
        return None


def _ask_of(node, interface, method, arguments=None):
    return _ask(node.bus, node.path, interface, method, arguments)


def application(wanted):
    """The root of a running program that has a window, or None."""
    found = _ask("org.a11y.atspi.Registry", ROOT, ACCESSIBLE, "GetChildren")
    for node in (Node(*reference) for reference in (found[0] if found else ())):
        if name(node) == wanted and children(node):
            return node
    return None


def children(node):
    answer = _ask_of(node, ACCESSIBLE, "GetChildren")
    return [Node(*reference) for reference in answer[0]] if answer else []


def _told(node, fields):
    """What accessible-tree says of an object behind its depth and path."""
    role, states, has_text, *place, its_name = fields
    node.role, node.states, node.has_text = Atspi.role_get_name(Atspi.Role(int(role))), int(states), has_text == "1"
    node.extents = tuple(map(int, place))
    node.name = its_name.encode().decode("unicode_escape").encode("latin-1").decode()
    return node


def everything(top):
    """What is shown at and below an object, parents before their children, each as it is now."""
    global _tree
    if _tree is None:
        _tree = subprocess.Popen([os.environ["WAKEPATH_ACCESSIBLE_TREE"]], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    print(top.bus, top.path, file=_tree.stdin, flush=True)
    shown, above = [], []
    while line := _tree.stdout.readline().removesuffix("\n"):
        depth, path, *fields = line.split("\t")
        node = _told(Node(top.bus, path), fields)
        del above[int(depth):]
        if above:
            node.parent = above[-1]
            node.parent.children.append(node)
        above.append(node)
        shown.append(node)
    assert shown, "accessible-tree ended"
    return shown


# --- of an object that is held, as it is now ---

def _property(node, which, interface=ACCESSIBLE, otherwise=""):
    answer = _ask_of(node, PROPERTIES, "Get", GLib.Variant("(ss)", (interface, which)))
    return answer[0] if answer else otherwise


def name(node):
    return _property(node, "Name")


def description(node):
    """Empty where there is no such widget now."""
    return _property(node, "Description") if node is not None else ""


def text(node):
    """The words in an entry or a text view."""
    length = _property(node, "CharacterCount", TEXT, 0)
    answer = _ask_of(node, TEXT, "GetText", GLib.Variant("(ii)", (0, length)))
    return answer[0] if answer else ""


def selections(node):
    """How many stretches of its text are selected."""
    answer = _ask_of(node, TEXT, "GetNSelections")
    return answer[0] if answer else 0


def extents(node):
    """In its window: x, y, width, height; without a size where it is not drawn."""
    answer = _ask_of(node, COMPONENT, "GetExtents", WINDOW)
    return answer[0] if answer else (0, 0, 0, 0)


def act(node):
    """What a click would do, without the pointer."""
    _ask_of(node, ACTION, "DoAction", GLib.Variant("(i)", (0,)))
