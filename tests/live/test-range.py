#!/usr/bin/python3
"""Profiling a range of commits: test-range.py CLI

A small repository with a commit that does not build and one whose program fails: the others get their profiles, the reasons are
kept, and neither the user's work tree nor the repository shows that anything happened. Stopped, a range goes on where it was."""
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'common'))
from tap import check, end

CLI = os.path.abspath(sys.argv[1])
PROGRAM = """#include <stdio.h>
#include <unistd.h>
int main (void) { puts ("it runs"); %s usleep (%d); return %d; }
"""
OFTEN = "for (int i = 0; i < 50; i++)"  # a model takes several resources of a function
COMMITS = [("sleeps 20 ms", PROGRAM % ("", 20000, 0)), ("sleeps 60 ms", PROGRAM % ("", 60000, 0)),
           ("does not build", "int main (void) {"), ("fails", PROGRAM % ("", 1000, 3)),
           ("sleeps 5 ms", PROGRAM % (OFTEN, 100, 0))]


STATE = tempfile.TemporaryDirectory()
os.environ["XDG_STATE_HOME"] = STATE.name  # what is trusted here is nothing to the user


def run(*command, **options):
    return subprocess.run(command, capture_output=True, text=True, **options)


def git(folder, *arguments):
    result = run("git", "-C", folder, "-c", "user.name=A", "-c", "user.email=a@b", *arguments)
    assert result.returncode == 0, result.stderr
    return result.stdout


def make_repository(folder):
    git(folder, "init", "-q", "-b", "main")
    with open(os.path.join(folder, "Makefile"), "w") as file:
        file.write("program: program.c\n\tcc -g -o program program.c\n")
    for subject, source in COMMITS:
        with open(os.path.join(folder, "program.c"), "w") as file:
            file.write(source)
        git(folder, "add", ".")
        git(folder, "commit", "-q", "-m", subject)
    with open(os.path.join(folder, "Makefile"), "a") as file:
        file.write("# not committed\n")


def state_of(folder):
    """What a user would notice."""
    files = {name: open(os.path.join(folder, name)).read() for name in ("Makefile", "program.c")}
    return (files, git(folder, "status", "--short", "--", ":!.perun"), git(folder, "branch"), git(folder, "worktree", "list"),
            git(folder, "stash", "list"), git(folder, "rev-parse", "HEAD"), sorted(os.listdir(os.path.join(folder, ".git"))))


def profiles(folder):
    text = run(CLI, "log", "--format", "json", cwd=folder).stdout
    found, at = {}, 0
    while text[at:].strip():
        commit, length = json.JSONDecoder().raw_decode(text[at:].lstrip())
        at += length + len(text[at:]) - len(text[at:].lstrip())
        found[commit["subject"]] = commit["registered"]
    return found


def shown(folder, commit="main"):
    """The newest profile of a commit, and what a report of it says."""
    path = os.path.join(folder, "shown.perf")
    text = run(CLI, "show", "0@i", "json", "-m", commit, cwd=folder).stdout
    with open(path, "w") as file:
        file.write(text)
    report = run(CLI, "report", path, "--format", "json")
    os.unlink(path)
    return json.loads(text), report


def wall(folder, commit):
    """Wall time of the registered profile, ms."""
    name = run(CLI, "show", "0@i", "file", "-m", commit, cwd=folder).stdout.strip()
    report = json.loads(shown(folder, commit)[1].stdout)
    return report["wall_ns"] / 1e6, report["percent_accounted"], name


def folders_of_ranges():
    """In the cache, and the records of them: only those of this test's own home."""
    return {os.path.join(base, name) for base, names, files in os.walk(os.environ["HOME"]) for name in names + files
            if name.startswith("wakepath-")}


def leave_as_after_a_crash(folder):
    """A range that is killed while it builds, and what it builds goes on for a while; it may have recorded before."""
    build = f"echo $$ > {folder}/pid; exec sleep 60"
    process = subprocess.Popen([CLI, "range", "main~4", "--build", build, "--", "./program"], cwd=folder, stdout=subprocess.DEVNULL)
    for _ in range(1000):
        if os.path.exists(f"{folder}/pid") and open(f"{folder}/pid").read().strip():
            break
        time.sleep(0.05)
    process.kill()
    process.wait()
    os.kill(int(open(f"{folder}/pid").read()), signal.SIGTERM)
    os.unlink(f"{folder}/pid")
    left = [path for path in folders_of_ranges() if os.path.isdir(os.path.join(path, "tree"))]
    check("what is killed leaves its work tree", len(left) == 1, left)
    for name in ("recording.data", ".recording.data.X1Y2Z3"):
        with open(os.path.join(left[0], name), "w", encoding="utf-8") as file:
            file.write("half a recording")


def test_range(folder, before):
    result = run(CLI, "range", "main~4", "main~4..main", "--build", "make", "--", "./program", cwd=folder)
    check("a range with failures says so", result.returncode == 1, result.stdout + result.stderr)
    check("what does not build is told", "does not build: failed: building failed" in result.stdout, result.stdout)
    check("what fails is told", "fails: failed" in result.stdout, result.stdout)
    check("the user's work tree and repository are as before", state_of(folder) == before, state_of(folder))
    found = {subject: len(of) for subject, of in profiles(folder).items()}
    check("the others have their profiles",
          found == {"sleeps 20 ms": 1, "sleeps 60 ms": 1, "does not build": 0, "fails": 0, "sleeps 5 ms": 1}, found)
    for commit, low in (("main~4", 20), ("main~3", 60), ("main", 5)):
        ms, accounted, name = wall(folder, commit)
        check(f"{commit} is explained", low <= ms and accounted > 95, (ms, accounted, name))
    logs = os.path.join(folder, ".perun", "logs")
    text = {git(folder, "log", "-1", "--format=%s", name[:40]).strip(): open(os.path.join(logs, name)).read()
            for name in os.listdir(logs)}
    check("what was printed is kept", "error" in text["does not build"] and "it runs" in text["fails"], text)


def test_resume(folder, before):
    result = run(CLI, "range", "main~4", "main~4..main", "--build", "make", "--", "./program", cwd=folder)
    check("what has a profile is passed over", result.stdout.count(": passed over") == 3, result.stdout)
    check("it is not checked out", result.stdout.count(": checking out") == 2, result.stdout)
    logs = os.listdir(os.path.join(folder, ".perun", "logs"))
    check("every log is kept", len(logs) == len(COMMITS), logs)
    result = run(CLI, "range", "main", "--repeat", "3", "--build", "make", "--", "./program", cwd=folder)
    check("only what is missing is recorded", result.returncode == 0 and len(profiles(folder)["sleeps 5 ms"]) == 3,
          result.stdout)
    check("nothing is left", state_of(folder) == before, state_of(folder))


SETTINGS = """cmds:
  - ./program
args:
  - -a "one word"
workloads: [1, 2]
postprocessors:
  - name: regression_analysis
    params: {method: full, regression_models: [linear, constant], of_key: self, per_key: timestamp}
  - name: filter
execute:
  pre_run: [make]
collectors:
  - name: wakepath
    params: {rate: 500, duration: 20}
degradation:
  collect_before_check: true
  log_collect: true
"""


def commands_of(entries):
    return sorted(" ".join(filter(None, (entry["cmd"], entry["args"], entry["workload"]))) for entry in entries)


def check_postprocessed(folder):
    """Models are in it, and it explains its process all the same."""
    profile, report = shown(folder)
    models = profile["global"].get("models", [])
    check("the models are those that were asked for", models and {model["model"] for model in models} <= {"linear", "constant"}, models[:2])
    check("what was postprocessed is explained", report.returncode == 0 and json.loads(report.stdout)["percent_accounted"] > 95, report)


def change_settings(folder, *pairs):
    path = os.path.join(folder, ".perun", "local.yml")
    with open(path) as file:
        text = file.read()
    for old, new in pairs:
        assert old in text, (old, text)
        text = text.replace(old, new)
    with open(path, "w") as file:
        file.write(text)


def trust(folder):
    result = run(CLI, "trust", "--yes", cwd=folder)
    check("the store's commands are trusted", result.returncode == 0 and "$ make\n" in result.stdout, result)


def test_postprocessors(folder):
    """Another list of them makes other profiles; what makes no sense is told before anything is recorded."""
    change_settings(folder, ("name: filter", "name: normalizer"), ("workloads: [1, 2]", "workloads: [1]"))
    trust(folder)
    result = run(CLI, "range", "main", cwd=folder)
    found = profiles(folder)["sleeps 5 ms"]
    check("what is postprocessed otherwise is profiled anew", result.returncode == 0 and ", 1 profile registered" in result.stdout
          and [entry["postprocessors"] for entry in found].count(["wakepath-paths", "regression_analysis", "normalizer"]) == 1, result)
    profile, report = shown(folder)
    amounts = [each["amount"] for each in profile["global"]["resources"] if each["type"] == "time"]
    check("amounts are shares", max(amounts) == 1.0 and min(amounts) >= 0, amounts[:5])
    check("shares explain no process, and that is told", report.returncode == 1 and "normalized" in report.stderr, report)
    for change, place in ((("name: normalizer", "name: kernel_regression"), "postprocessors.1.name: there is no postprocessor “kernel_regression”"),
                          (("method: full", "method: fully"), "postprocessors.0.params.method: “fully” is none of its values"),
                          (("method: fully", "methods: full"), "postprocessors.0.params.methods: the postprocessor")):
        change_settings(folder, change)
        result = run(CLI, "range", "main", "--again", cwd=folder)
        check(f"{change[1]} is refused", result.returncode == 1 and f"local.yml: {place}" in result.stderr and not result.stdout, result)
    result = run(CLI, "range", "main", "--build", "make", "--", "./program", cwd=folder)
    check("a command that is given is recorded as it is", result.returncode == 0 and ": passed over" in result.stdout, result)
    change_settings(folder, ("methods: full", "method: full"), ("name: kernel_regression", "name: filter"), ("workloads: [1]", "workloads: [1, 2]"))


def test_matrix(folder, before):
    """Without a command local.yml says what is profiled, and a check may have it made first."""
    wanted = ['./program -a "one word" 1', './program -a "one word" 2']
    result = run(CLI, "range", "main", cwd=folder)
    check("no command anywhere", result.returncode == 1 and "local.yml: cmds" in result.stderr, result.stderr)
    with open(os.path.join(folder, ".perun", "local.yml"), "a") as file:
        file.write(SETTINGS)
    result = run(CLI, "range", "main", cwd=folder)
    check("what local.yml names is not run unasked", result.returncode == 1 and "wakepath-cli trust" in result.stderr and not result.stdout, result)
    trust(folder)
    result = run(CLI, "range", "main", cwd=folder)
    found = profiles(folder)["sleeps 5 ms"]
    check("every row of the job matrix has its profile", result.returncode == 0 and ", 2 profiles registered" in result.stdout
          and commands_of(found)[-2:] == wanted and len(found) == 5, (result.stdout, result.stderr, commands_of(found)))
    check("a row's words are what local.yml calls them", sorted((entry["cmd"], entry["args"], entry["workload"]) for entry in found)[-2:]
          == [("./program", '-a "one word"', each) for each in "12"], found)
    check("every postprocessor was applied, in its order",
          [entry["postprocessors"] for entry in found].count(["wakepath-paths", "regression_analysis", "filter"]) == 2, found)
    check_postprocessed(folder)
    check("it is built once", result.stdout.count(": building") == 1, result.stdout)
    result = run(CLI, "range", "main", cwd=folder)
    check("and passed over then", result.returncode == 0 and ": passed over" in result.stdout, result.stdout)
    test_postprocessors(folder)
    trust(folder)
    result = run(CLI, "check", "head", "main~3", "--method", "average_amount_threshold", "--format", "json", cwd=folder)
    document = json.loads(result.stdout)
    found = profiles(folder)
    check("a check has made what was missing", result.returncode in (0, 3) and result.stderr.count(": done, 2 profiles") == 2
          and [commands_of(found[subject])[-2:] for subject in ("sleeps 20 ms", "sleeps 60 ms")] == [wanted, wanted],
          (result.stderr, found["sleeps 20 ms"]))
    check("and checked it", set(wanted) <= {row["command"] for row in document["checked"]}, document)
    result = run(CLI, "check", "all", "main~3", "--method", "average_amount_threshold", cwd=folder)
    check("so does one of all commits", result.returncode in (0, 3) and result.stderr.count(": passed over") == 2, result.stderr)
    hashes = [git(folder, "rev-parse", name).strip() for name in ("main~3", "main~4")]
    logs = [os.path.join(folder, ".perun", "logs", f"{name}-precollect.log") for name in hashes]
    said = run(CLI, "log", "main~3", "-n", "1", cwd=folder).stdout
    check("its log is where Perun keeps it", all("it runs" in open(path).read() for path in logs) and f"Log: {logs[0]}" in said, said)
    check("nothing is left of the matrix", state_of(folder) == before, state_of(folder))
    result = run(CLI, "check", "head", "main~2", cwd=folder)
    check("what cannot be made is told", result.returncode == 1 and "does not build: failed: building failed" in result.stderr, result.stderr)
    change_settings(folder, ("rate: 500", "rate: often"))
    result = run(CLI, "range", "main", "--again", cwd=folder)
    check("a rate that is none is refused", result.returncode == 1 and "rate: “often”" in result.stderr, result.stderr)
    path = os.path.join(folder, ".perun", "local.yml")
    with open(path) as file:
        text = file.read()
    with open(path, "w") as file:
        file.write(text.split("cmds:\n  - ./program")[0])


def test_copy(folder):
    """Its settings name the repository that it was copied from, which is not what was opened; put right, its profiles are its own."""
    with tempfile.TemporaryDirectory() as parent:
        copy = os.path.join(parent, "copy")
        shutil.copytree(folder, copy, symlinks=True)
        before = profiles(folder)
        command = [CLI, "range", "main", "--again", "--build", "make", "--", "./program"]
        result = run(*command, cwd=copy)
        check("a copy says which repository its settings name", result.returncode == 1 and not result.stdout
              and f"than that which the store is in: {folder};" in result.stderr, result)
        change_settings(copy, (f"url: {folder}", "url: ../"))
        result = run(*command, cwd=copy)
        check("a copy's profiles are registered there", result.returncode == 0 and len(profiles(copy)["sleeps 5 ms"]) == 4
              and profiles(folder) == before, (result, profiles(copy)))


def test_stop(folder, before):
    process = subprocess.Popen([CLI, "range", "main~3", "--again", "--build", "echo begun; sleep 60; touch done", "--", "./program"],
                               cwd=folder, stdout=subprocess.PIPE, text=True)
    for line in process.stdout:
        if ": building" in line:
            break
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    rest = process.communicate(timeout=120)[0]
    check("a build can be stopped", process.returncode == 1 and ": stopped\n" in rest and "failed" not in rest, rest)
    check("a stopped range leaves nothing", state_of(folder) == before, state_of(folder))


def main():
    if os.geteuid() != 0:
        print("1..0 # SKIP recording the whole system needs root")
        return 0
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as home:
        os.environ["HOME"] = home
        for name in ("XDG_CACHE_HOME", "XDG_STATE_HOME"):
            os.environ.pop(name, None)
        make_repository(folder)
        result = run(CLI, "init", cwd=folder)
        check("a store is made", result.returncode == 0, result.stderr)
        before = state_of(folder)
        leave_as_after_a_crash(folder)
        test_range(folder, before)
        test_resume(folder, before)
        test_copy(folder)
        test_matrix(folder, before)
        test_stop(folder, before)
        left = folders_of_ranges()
    check("no folder is left", not left, left)
    return end()


sys.exit(main())
