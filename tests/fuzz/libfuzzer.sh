#!/bin/bash
# Fuzzes reading with libFuzzer, for as long as one likes: tests/fuzz/libfuzzer.sh FOLDER [LIBFUZZER OPTION…]
# Builds into FOLDER (needs clang); its corpus and what it finds stay there.
set -euo pipefail
folder=$(mkdir -p "$1" && cd "$1" && pwd)
shift
cd "$(dirname "$0")/../.."
clang=$(command -v clang || command -v clang-14) || { echo "libfuzzer.sh: clang is missing (apt-get install clang)" >&2; exit 1; }
packages="gio-2.0 json-glib-1.0 libtraceevent libelf"
mkdir -p "$folder/corpus"
# shellcheck disable=SC2046
"$clang" -g -O1 -fsanitize=fuzzer,address,undefined -std=gnu17 -D_GNU_SOURCE -DG_LOG_DOMAIN='"wakepath"' -Isrc \
  $(pkg-config --cflags $packages) -o "$folder/fuzz-read" tests/fuzz/fuzz-read.c src/read/*.c src/trace/*.c src/base/*.c \
  $(pkg-config --libs $packages) -liberty -lm
cd "$folder"
exec ./fuzz-read -timeout=30 -rss_limit_mb=2048 "$@" corpus
