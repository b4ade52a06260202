#!/usr/bin/python3
"""No table of src/ has a hash that can be foreseen: GLib's own are for keys that nobody outside chooses."""
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'common'))
from tap import check, end

FORESEEN = re.compile(r"\bg_(?:str|direct|int|int64|double)_hash\b|\bg_hash_table_new(?:_full)?\s*\(\s*NULL\b")


def problems_of(text):
    return [f"line {number}: {match.group()}" for number, line in enumerate(text.splitlines(), 1)
            for match in [FORESEEN.search(line)] if match and not line.lstrip().startswith(("/*", "*"))]


def main():
    root = os.path.join(sys.argv[1], "src")
    examples = problems_of("g_hash_table_new (NULL, NULL);\ng_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);\n"
                           "g_hash_table_new (wp_hash_pointer, NULL);")
    found, files = [], 0
    for base, _, names in os.walk(root):
        for name in sorted(n for n in names if n.endswith((".c", ".h")) and n != "hash.h"):
            files += 1
            with open(os.path.join(base, name), encoding="utf-8") as file:
                found += [f"{os.path.relpath(os.path.join(base, name), root)}: {problem}" for problem in problems_of(file.read())]
    check('what must not be is found in an example', len(examples) == 2, examples)
    check(f'{files} files have no such table', files > 100 and not found, '\n'.join(found))
    return end()


sys.exit(main())
