#!/usr/bin/python3
"""Adds up meson's test logs (one JSON object a line): prints the failures and "N passed, N failed[, N skipped]"."""
import json
import os
import sys

PASSED = {"OK", "EXPECTEDFAIL"}
SKIPPED = {"SKIP"}


def main(logs):
    passed, skipped, failed = 0, 0, []
    for path in logs:
        if not os.path.exists(path):
            continue
        with open(path, encoding="utf-8") as log:
            for line in log:
                test = json.loads(line)
                if test["result"] in PASSED:
                    passed += 1
                elif test["result"] in SKIPPED:
                    skipped += 1
                    print(f"skipped: {test['name']}")
                else:
                    failed.append(f"{test['result'].lower()}: {test['name']} ({path.split(os.sep)[-3]})")
    for line in failed:
        print(line)
    if passed + len(failed) == 0:
        failed.append("nothing ran")
        print("error: no test ran")
    print(f"{passed} passed, {len(failed)} failed" + (f", {skipped} skipped" if skipped else ""))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
