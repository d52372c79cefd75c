#!/bin/sh
# The main of all unit tests (test.c) runs what it is asked for, in the order of the source, and never passes by running
# nothing.
#
# usage: main.sh EXAMPLE PROGRAM_WITHOUT_CASES
set -u
example=$1 empty=$2

ends() { # STATUS "CASES THAT RUN" COMMAND...
  status=$1 cases=$2
  shift 2
  out=$("$@" 2>&1)
  got=$?
  [ $got -eq "$status" ] || { echo "$*: exit status $got instead of $status: $out" >&2; exit 1; }
  ran=$(echo "$out" | sed -n 's/.*RUN *\] //p' | tr '\n' ' ')
  [ "$ran" = "$cases" ] || { echo "$*: ran '$ran' instead of '$cases'" >&2; exit 1; }
}

ends 1 "passes fails " "$example"
ends 0 "passes " "$example" passes
ends 1 "fails " "$example" fails
ends 1 "fails passes " "$example" fails passes
ends 2 "" "$example" passes other
ends 2 "" "$example" passes passes
ends 2 "" "$example" ""
ends 2 "" "$empty"
