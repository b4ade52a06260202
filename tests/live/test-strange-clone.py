#!/usr/bin/python3
"""A stranger's clone where recording is allowed: test-strange-clone.py CLI

`git clone`, then `check head`, `check all`, `range`: nothing that came with the clone runs, as root and as another user, until it is trusted.
Then all of it does, recorded."""
import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'common'))
from tap import check, end

CLI = os.path.abspath(sys.argv[1])
NOBODY = 65534
SETTINGS = """vcs:
  type: git
  url: ..
cmds:
  - touch %s/cmds
execute:
  pre_run:
    - echo pre > %s/pre_run
degradation:
  collect_before_check: true
"""


def test(user, folder, cli):
    as_user = {} if user is None else {"user": user, "group": user, "extra_groups": []}
    who = "root" if user is None else "another user"
    runs, source, clone = (os.path.join(folder, name) for name in ("runs", "source", "clone"))

    def run(*command, cwd=clone):
        return subprocess.run(command, cwd=cwd, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=300, **as_user)

    os.mkdir(runs), os.makedirs(os.path.join(source, ".perun", "jobs"))
    with open(os.path.join(source, ".perun", "local.yml"), "w") as file:
        file.write(SETTINGS % (runs, runs))
    if user is not None:
        subprocess.run(["chown", "-R", f"{user}:{user}", folder], check=True)
    git = ("git", "-c", "user.name=A", "-c", "user.email=a@b", "-c", "init.defaultBranch=main")
    for command in (("init", "-q"), ("add", "."), ("commit", "-qm", "one"), ("commit", "-qm", "two", "--allow-empty"), ("clone", "-q", source, clone)):
        assert run(*git, *command, cwd=source).returncode == 0
    for command in (("check", "head"), ("check", "all"), ("range", "HEAD"), ("range", "HEAD", "--", "true")):
        done = run(cli, *command)
        check(f"as {who} {' '.join(command)} runs nothing", os.listdir(runs) == [] and done.returncode == 1 and "wakepath-cli trust" in done.stderr
              and f"$ echo pre > {runs}/pre_run\n" in done.stderr, (done, os.listdir(runs)))
    assert run(cli, "trust", "--yes").returncode == 0
    done = run(cli, "check", "head")
    wanted = ["cmds", "pre_run"] if user is None else ["pre_run"]  # who may not record is told so, once it is built
    check(f"as {who} what is trusted runs", set(wanted) <= set(os.listdir(runs)), (done, os.listdir(runs)))


with tempfile.TemporaryDirectory(prefix="wakepath-clone-") as work:
    os.environ.update(HOME=work, XDG_STATE_HOME=os.path.join(work, "state-root"), XDG_CACHE_HOME=os.path.join(work, "cache-root"), GIT_CONFIG_NOSYSTEM="1")
    os.mkdir(os.path.join(work, "root"))
    test(None, os.path.join(work, "root"), CLI)
    os.chmod(work, 0o755)
    os.environ.update(XDG_STATE_HOME=os.path.join(work, "other", "state"), XDG_CACHE_HOME=os.path.join(work, "other", "cache"))
    os.mkdir(os.path.join(work, "other"))
    test(NOBODY, os.path.join(work, "other"), shutil.copy(CLI, work))
sys.exit(end())
