"""The tree of accessible objects of a running GTK program, read over D-Bus in one sweep.

libatspi asks for each property of each object by a call of its own and waits for it: seconds for a window with a table. Here
the calls of a whole level of the tree are under way at once, and what is not shown is left out with all below it.
"""
import functools

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, Gio, GLib  # noqa: E402

ACCESSIBLE, COMPONENT, TEXT = "org.a11y.atspi.Accessible", "org.a11y.atspi.Component", "org.a11y.atspi.Text"
ACTION, PROPERTIES = "org.a11y.atspi.Action", "org.freedesktop.DBus.Properties"
ROOT = "/org/a11y/atspi/accessible/root"
WINDOW = GLib.Variant("(u)", (Atspi.CoordType.WINDOW,))
NAME = GLib.Variant("(ss)", (ACCESSIBLE, "Name"))
TIME_LIMIT_MS = 30000

_connection = None


class Node:
    """What an object was when it was read. `extents` in its window: x, y, width, height; None of what has no place."""

    def __init__(self, bus, path):
        self.bus, self.path = bus, path
        self.name, self.parent, self.children, self.extents = "", None, [], None

    # Asked for when they are wanted: few objects are looked at closely.

    @functools.cached_property
    def role(self):
        answer = _ask_of([self], ACCESSIBLE, "GetRole")[0]
        return Atspi.role_get_name(Atspi.Role(answer[0])) if answer else ""

    @functools.cached_property
    def sensitive(self):
        return self._has_state(Atspi.StateType.SENSITIVE)

    @functools.cached_property
    def selected(self):
        return self._has_state(Atspi.StateType.SELECTED)

    def _has_state(self, state):
        answer = _ask_of([self], ACCESSIBLE, "GetState")[0]
        return bool(answer and answer[0][0] >> int(state) & 1)

    @functools.cached_property
    def has_text(self):
        answer = _ask_of([self], ACCESSIBLE, "GetInterfaces")[0]
        return bool(answer and TEXT in answer[0])

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


def _ask(calls):
    """Answers of calls (bus, path, interface, method, arguments), in their order; None where one failed."""
    answers, left = [None] * len(calls), [len(calls)]

    def answered(connection, result, i):
        try:
            answers[i] = connection.call_finish(result).unpack()
        except GLib.Error:
            pass  # it went away, or it has no such interface
        left[0] -= 1

    for i, (bus, path, interface, method, arguments) in enumerate(calls):
        _bus().call(bus, path, interface, method, arguments, None, Gio.DBusCallFlags.NONE, TIME_LIMIT_MS, None, answered, i)
    while left[0] > 0:
        GLib.MainContext.default().iteration(True)
    return answers


def _ask_of(nodes, interface, method, arguments=None):
    return _ask([(node.bus, node.path, interface, method, arguments) for node in nodes])


def application(wanted):
    """The root of a running program that has a window, or None."""
    found = _ask([("org.a11y.atspi.Registry", ROOT, ACCESSIBLE, "GetChildren", None)])[0]
    for node in (Node(*reference) for reference in (found[0] if found else ())):
        if name(node) == wanted and children(node):
            return node
    return None


def children(node):
    answer = _ask_of([node], ACCESSIBLE, "GetChildren")[0]
    return [Node(*reference) for reference in answer[0]] if answer else []


def everything(top):
    """What is shown at and below an object, parents before their children, each as it is now."""
    top = Node(top.bus, top.path)
    level, shown = [top], []
    while level:
        places = _ask_of(level, COMPONENT, "GetExtents", WINDOW)
        below = _ask_of(level, ACCESSIBLE, "GetChildren")
        next_level = []
        for node, place, references in zip(level, places, below):
            node.extents = place[0] if place else None
            # GTK 4.8 does not tell what is showing, but what is not drawn has no size.
            if node is not top and place and (node.extents[2] <= 0 or node.extents[3] <= 0):
                continue
            shown.append(node)
            if node.parent is not None:
                node.parent.children.append(node)
            for reference in references[0] if references else ():
                child = Node(*reference)
                child.parent = node
                next_level.append(child)
        level = next_level
    for node, answer in zip(shown, _ask_of(shown, PROPERTIES, "Get", NAME)):
        node.name = answer[0] if answer else ""
    return _in_order(top)


def _in_order(top):
    ordered, stack = [], [top]
    while stack:
        node = stack.pop()
        ordered.append(node)
        stack.extend(reversed(node.children))
    return ordered


# --- of an object that is held, as it is now ---

def _property(node, which, interface=ACCESSIBLE, otherwise=""):
    answer = _ask_of([node], PROPERTIES, "Get", GLib.Variant("(ss)", (interface, which)))[0]
    return answer[0] if answer else otherwise


def name(node):
    return _property(node, "Name")


def description(node):
    return _property(node, "Description")


def text(node):
    """The words in an entry or a text view."""
    length = _property(node, "CharacterCount", TEXT, 0)
    answer = _ask_of([node], TEXT, "GetText", GLib.Variant("(ii)", (0, length)))[0]
    return answer[0] if answer else ""


def extents(node):
    """In its window: x, y, width, height; without a size where it is not drawn."""
    answer = _ask_of([node], COMPONENT, "GetExtents", WINDOW)[0]
    return answer[0] if answer else (0, 0, 0, 0)


def act(node):
    """What a click would do, without the pointer."""
    _ask_of([node], ACTION, "DoAction", GLib.Variant("(i)", (0,)))
