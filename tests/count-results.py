#!/usr/bin/python3
"""Adds up meson's test logs (one JSON object a line): prints the failures with what they said last, what was tried more than once
("# retried: …" in a test's output), and "N passed, N failed[, N skipped][, N retries]"."""
import json
import os
import sys

PASSED = {"OK", "EXPECTEDFAIL"}
SKIPPED = {"SKIP"}
LAST_LINES = 30


def last_words(test):
    """The checks that failed with what is said of them, and the end of what the test printed, without those that held and the noise of a
    desktop that is not there."""
    for stream in ("stdout", "stderr"):
        lines = [line for line in test.get(stream, "").splitlines() if line.strip() and "WARNING" not in line and not line.startswith("ok ")]
        failures = [i for i, line in enumerate(lines[:-LAST_LINES]) if line.startswith("not ok ")]
        for i in failures[:LAST_LINES // 2]:
            for line in lines[i:i + 2]:
                print(f"  {stream}: {line[:600]}")
        for line in lines[-LAST_LINES:]:
            print(f"  {stream}: {line[:600]}")


def retries_of(test):
    """What was done once more since it did not hold at first: it passed, and nobody should have to look for it."""
    found = [line.removeprefix("# retried: ") for line in test.get("stdout", "").splitlines() if line.startswith("# retried: ")]
    for what in found:
        print(f"retried: {test['name']}: {what[:200]}")
    return len(found)


def main(logs):
    passed, skipped, retries, failed = 0, 0, 0, []
    for path in logs:
        if not os.path.exists(path):
            continue
        with open(path, encoding="utf-8") as log:
            for line in log:
                test = json.loads(line)
                retries += retries_of(test)
                if test["result"] in PASSED:
                    passed += 1
                elif test["result"] in SKIPPED:
                    skipped += 1
                    print(f"skipped: {test['name']}")
                else:
                    failed.append(test)
                    print(f"{test['result'].lower()}: {test['name']} ({path.split(os.sep)[-3]}, {test['duration']:.0f} s)")
                    last_words(test)
    if passed + len(failed) == 0:
        failed.append("nothing ran")
        print("error: no test ran")
    print(f"{passed} passed, {len(failed)} failed" + (f", {skipped} skipped" if skipped else "")
          + (f", {retries} retries" if retries else ""))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
