#!/bin/sh
# The main of all unit tests (test.c) runs the cases it is asked for, in the order of the source, and never passes by running
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

ends 1 "passes fails " "$example" example
ends 0 "passes " "$example" example passes
ends 1 "fails " "$example" example fails
ends 1 "fails passes " "$example" example fails passes
ends 2 "" "$example" example passes other
ends 2 "" "$example" example passes passes
ends 2 "" "$example" example ""
ends 2 "" "$example" other
ends 2 "" "$example"
ends 2 "" "$empty"
ends 2 "" "$empty" example
