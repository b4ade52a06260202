#!/usr/bin/python3
"""The layers of src/ (DESIGN.md): a folder includes only itself and folders below it, and only app knows GTK."""
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'common'))
import tap

# From the bottom to the top; folders of one row do not know each other.
LAYERS = [["base"], ["stacks"], ["calls"], ["trace"], ["read"], ["paths"], ["profile"], ["view"], ["plots"], ["paint"], ["store"], ["record"], ["range"], ["workspace"],
          ["cli", "app"]]
ALONE = {"demangler"}  # programs of their own
LEVEL = {name: level for level, row in enumerate(LAYERS) for name in row}
WINDOW = re.compile(r"^(gtk|gdk|gsk|adwaita|libadwaita)([-/.]|$)")
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]', re.MULTILINE)


def problems_of(folder, text):
    """What is wrong with the includes of a source text in `folder`: a list of sentences."""
    found = []
    for kind, name in INCLUDE.findall(text):
        other = name.split("/")[0]
        if folder != "app" and WINDOW.match(name):
            found.append(f"only app may include {name}")
        elif kind == '"' and name != "config.h" and "/" not in name:
            found.append(f'"{name}" does not say its folder')
        elif kind == '"' and "/" in name and other not in LEVEL:
            found.append(f'"{name}" is in no layer')
        elif kind == '"' and other in LEVEL and other != folder and LEVEL[other] >= LEVEL[folder]:
            found.append(f"{folder} may not include {name}")
    return found


def check_tree(src):
    found, files = [], 0
    for folder in sorted(os.listdir(src)):
        path = os.path.join(src, folder)
        if not os.path.isdir(path) or folder in ALONE:
            continue
        if folder not in LEVEL:
            found.append(f"src/{folder} is in no layer")
            continue
        for base, _, names in os.walk(path):
            for name in sorted(names):
                if name.endswith((".c", ".h")):
                    files += 1
                    with open(os.path.join(base, name), encoding="utf-8") as source:
                        found += [f"src/{folder}/{name}: {p}" for p in problems_of(folder, source.read())]
    return files, found


def check_alone(root, program, allowed=()):
    """A small program of its own: no GLib, no GTK, nothing of src/ but what is allowed."""
    folder = os.path.join(root, program)
    found = []
    for name in sorted(os.listdir(folder)):
        if name.endswith((".c", ".h")):
            with open(os.path.join(folder, name), encoding="utf-8") as source:
                for _, include in INCLUDE.findall(source.read()):
                    if WINDOW.match(include) or include.startswith(("glib", "gio")) or (include.split("/")[0] in LEVEL and include not in allowed):
                        found.append(f"{program}/{name} may not include {include}")
    return found


def main(root):
    files, in_tree = check_tree(os.path.join(root, "src"))
    alone = check_alone(root, "collector-helper") + check_alone(root, "src/demangler", ["read/symbols/demangle-protocol.h"])
    for name, holds in (
        ("a layer may not look up", problems_of("trace", '#include "paths/paths.h"\n') != []),
        ("cli and app do not know each other", problems_of("cli", ' # include "app/shell/window.h"\n') != []),
        ("GTK is for app alone", problems_of("view", "#include <gtk/gtk.h>\n") != [] and
         problems_of("app", "#include <adwaita.h>\n") == []),
        ("a layer may look down and at itself", problems_of("view", '#include "base/array.h"\n#include "view/rows.h"\n') == []),
        (f"the {files} files of src keep the order", files > 20 and in_tree == []),
        ("the small programs stand alone", alone == []),
    ):
        tap.check(name, holds)
    for problem in in_tree + alone:
        print("#", problem)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
