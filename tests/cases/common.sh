# What the cases share; a case sources it. See README.md.
#
# A case is called as `tests/cases/NAME [-o RECORDING]`, as root. It leaves the recording (NAME.perf.data in the current
# folder, if nothing else is said) and nothing else: its servers listen on loopback and on free ports, their files are in
# a temporary folder, and both are gone when it ends. WAKEPATH_BUILD names the build folder to record with (_build).
set -euo pipefail

cases=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
case_name=$(basename "$0")
build=$(cd "${WAKEPATH_BUILD:-$cases/../../_build}" && pwd)
cli=$build/src/cli/wakepath-cli
export WAKEPATH_COLLECTOR=${WAKEPATH_COLLECTOR:-$build/collector-helper/wakepath-collector}

fail() {
  echo "$case_name: $*" >&2
  exit 1
}

recording=$PWD/$case_name.perf.data
while getopts o: option; do
  case $option in
    o) recording=$(realpath "$OPTARG") ;;
    *) fail "usage: $0 [-o RECORDING]" ;;
  esac
done
[ "$(id -u)" = 0 ] || fail "recording the whole system and starting servers needs root"
[ -x "$cli" ] || fail "$cli is not there: build first, or name the build folder in WAKEPATH_BUILD"

folder=$(mktemp -d "${TMPDIR:-/tmp}/wakepath-$case_name.XXXXXX")
chmod 755 "$folder"
started=()
within=() # a command to run the recording within

# The last one started is the first to end, and has 10 s for it.
clean_up() {
  local i pid
  for ((i = ${#started[@]} - 1; i >= 0; i--)); do
    pid=${started[i]}
    kill "$pid" 2>/dev/null || continue
    until_true 10 has_ended "$pid" || kill -KILL "$pid" 2>/dev/null || true
    wait "$pid" 2>/dev/null || true
  done
  rm -rf "$folder"
}
trap clean_up EXIT
trap 'exit 143' TERM INT HUP

has_ended() { [ ! -e "/proc/$1" ] || grep -q '^State:.*Z' "/proc/$1/status" 2>/dev/null; }

# until_true SECONDS COMMAND…
until_true() {
  local end=$((SECONDS + $1))
  shift
  until "$@"; do
    [ "$SECONDS" -lt "$end" ] || return 1
    sleep 0.05
  done
}

# start NAME COMMAND…: in the background, ended at the end; what it says goes to $folder/NAME.log
start() {
  local log=$folder/$1.log
  shift
  "$@" </dev/null >"$log" 2>&1 &
  started+=($!)
}

# install PACKAGE…: those that are missing
install() {
  local package missing=()
  for package in "$@"; do
    [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing+=("$package")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  echo "$case_name: installing ${missing[*]}" >&2
  export DEBIAN_FRONTEND=noninteractive
  { apt-get update -q && apt-get install -q -y --no-install-recommends -o DPkg::Lock::Timeout=300 "${missing[@]}"; } \
    </dev/null >"$folder/apt.log" 2>&1 || { tail -5 "$folder/apt.log" >&2; fail "cannot install ${missing[*]}"; }
}

# free_ports N: so many, on one line
free_ports() {
  python3 -c 'import socket, sys
held = [socket.create_server(("127.0.0.1", 0)) for _ in range(int(sys.argv[1]))]
print(*(s.getsockname()[1] for s in held))' "$1"
}

# Told from the kernel's table: a connection would wake the server up before the recording.
listening() { grep -q "^ *[0-9]*: 0100007F:$(printf %04X "$1") 00000000:0000 0A" /proc/net/tcp; }

# await NAME CONDITION…: of a server that has been started
await() {
  local name=$1
  shift
  until_true 20 "$@" || { tail -5 "$folder/$name.log" >&2; fail "$name does not start"; }
}

# Sets DISPLAY to an X server of the case's own.
start_display() {
  mkfifo "$folder/display"
  start xvfb Xvfb -displayfd 3 -screen 0 1280x800x24 -nolisten tcp -noreset 3<>"$folder/display"
  read -r -t 30 DISPLAY <>"$folder/display" || fail "Xvfb does not start"
  export DISPLAY=:$DISPLAY
  unset WAYLAND_DISPLAY XAUTHORITY
}

cpus() { python3 -c 'import os; print(*sorted(os.sched_getaffinity(0)))'; }

# The CPUs whose idle task perf does not see: on some virtual machines all events in its context are dropped. Every CPU
# is made to go idle and come back a few times; one that never came back from its idle task is such a one (a CPU that
# others keep busy is taken for one, too: that does no harm).
hidden_cpus() {
  local all seen cpu
  all=$(cpus)
  perf record -q -a -e sched:sched_switch --filter 'prev_pid == 0' -o "$folder/probe.data" -- \
    bash -c 'for cpu in '"$all"'; do for i in 1 2 3 4 5; do taskset -c $cpu sleep 0.01; done; done' >"$folder/probe.log" 2>&1 ||
    { cat "$folder/probe.log" >&2; fail "perf cannot record switches"; }
  seen=" $(perf script -i "$folder/probe.data" -F cpu 2>/dev/null | tr -dc '0-9\n' | sed 's/^0*\([0-9]\)/\1/' | sort -un | tr '\n' ' ')"
  for cpu in $all; do
    [[ $seen == *" $cpu "* ]] || echo "$cpu"
  done
}

# record COMMAND…: where perf does not see the idle task of some CPU, with spinners of the lowest class in the place of all of them
# (others' events are then dropped now and then, too)
record() {
  local cpu hidden
  hidden=$(hidden_cpus)
  for cpu in ${hidden:+$(cpus)}; do
    start "keepcpu$cpu" "$build/tests/workloads/keepcpu" "$cpu"
    await "keepcpu$cpu" grep -q ready "$folder/keepcpu$cpu.log"
  done
  sleep 0.3
  "${within[@]}" "$cli" record -o "$recording" -- "$@" >"$folder/command.log" 2>"$folder/record.log" ||
    { tail -5 "$folder/record.log" "$folder/command.log" >&2; fail "recording $1 failed"; }
  echo "$recording"
}

install linux-perf util-linux python3
