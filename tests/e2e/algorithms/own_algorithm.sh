#!/bin/sh
# docs/tutorial/own-algorithm.md: its commands, run in order, print what it shows: a machine, an algorithm, its proof, a mistake
# that the proof finds, and where the algorithm stands.
#
# usage: own_algorithm.sh BUILD_DIR SOURCE_DIR
set -u
. "$2/tests/e2e/begin.sh"
. "$source/tests/e2e/page.sh"
need smpirun simgrid
need make make
mkdir bin
ln -s "$tutti" bin/tutti # as where it is installed
PATH=$place/bin:$PATH CPPFLAGS=-I$source/include CFLAGS="-O1 -Wall -Wextra -Werror"
export PATH CPPFLAGS CFLAGS

run_page tutorial/own-algorithm.md 10
echo "an algorithm was written, proven, and compared as the page says"
