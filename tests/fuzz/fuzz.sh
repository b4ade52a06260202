#!/bin/bash
# Fuzzes for as long as one likes: tests/fuzz/fuzz.sh MINUTES [TARGET]
# With libFuzzer where clang has it, else with the driver that needs only a C compiler. What is found, the inputs that led further and the
# count of all executions so far stay in _fuzz/TARGET. FUZZ_DRIVER=gcc takes the second driver in any case, FUZZ_SEED=N repeats its run.
set -euo pipefail
cd "$(dirname "$0")/../.."
root=$PWD
minutes=${1:?tests/fuzz/fuzz.sh MINUTES [TARGET]}
all=({,parse-}{recording,script,profile,stacks,calls,store} sidecar filters helper)
targets=("${all[@]}")
[ $# -lt 2 ] || targets=("$2")

has_libfuzzer() {
  local clang
  [ "${FUZZ_DRIVER:-}" != gcc ] || return 1
  clang=$(command -v clang || command -v clang-14) || return 1
  echo 'int LLVMFuzzerTestOneInput (const char *d, long n) { return 0; }' | "$clang" -fsanitize=fuzzer -x c - -o /dev/null 2>/dev/null
}

if has_libfuzzer; then
  driver=libfuzzer build=_build-libfuzzer
  [ -f $build/build.ninja ] ||
    CC=$(command -v clang || command -v clang-14) meson setup $build -Dlibfuzzer=true -Db_sanitize=address,undefined -Db_lundef=false >/dev/null
else
  driver=gcc build=_build
  [ -f $build/build.ninja ] || meson setup $build >/dev/null
fi
programs=("${targets[@]#parse-}")
ninja -C $build "${programs[@]/#/tests/fuzz/fuzz-}" >/dev/null

# fuzz_one TARGET SECONDS: parse-… are the same programs, which only read
fuzz_one() {
  local target=$1 seconds=$2 state=$root/_fuzz/$1 name=${1#parse-} program corpus
  program=$root/$build/tests/fuzz/fuzz-$name corpus=$root/tests/fuzz/corpus/${name/sidecar/script}
  [ "$target" = "$name" ] || export WP_FUZZ_PARSE=1
  mkdir -p "$state"/{corpus,found,memory}
  cd "$state"
  export WP_FUZZ_COUNTS=$state/counts WP_FUZZ_FOLDER
  WP_FUZZ_FOLDER=$(mktemp -d /dev/shm/wakepath-fuzz-run.XXXXXX)
  trap 'rm -rf "$WP_FUZZ_FOLDER"' EXIT
  if [ $driver = libfuzzer ]; then
    "$program" -fork=1 -ignore_crashes=1 -ignore_timeouts=1 -ignore_ooms=1 -timeout=20 -rss_limit_mb=3000 \
      -max_len=65536 -max_total_time="$seconds" -artifact_prefix=found/ corpus "$corpus" >log 2>&1 || true
  else
    "$program" --seconds "$seconds" ${FUZZ_SEED:+--seed $FUZZ_SEED} --found found corpus "$corpus" 2>log || true
  fi
  printf '%s: %d executions so far, %d of them to the end; %d finds in _fuzz/%s/found\n' "$target" \
    $(od -An -tu8 counts) "$(find found -type f | wc -l)" "$target"
}

# As many at a time as there are processors.
shopt -s nullglob
rounds=$(((${#targets[@]} + $(nproc) - 1) / $(nproc)))
export -f fuzz_one
export root driver build
printf '%s\n' "${targets[@]}" | xargs -P "$(nproc)" -I TARGET bash -c "fuzz_one TARGET $((minutes * 60 / rounds))"

# total WORDS COUNTS…
total() {
  local words=$1
  shift
  cat "$@" </dev/null | od -An -v -w16 -tu8 |
    awk -v words="$words" '{ a += $1; w += $2 } END { printf "all together: %.0f executions so far, %.0f of them %s\n", a, w, words }'
}

total "through the whole pipeline" _fuzz/{[rsf]*,pr*}/counts
total "read to the end" _fuzz/{parse-*,h*}/counts
