#!/bin/sh
# What a command prints of its arguments and files has none of the characters that a terminal obeys, nor a command of
# GitHub Actions (github.com/actions/runner, ActionCommand.cs: "::" at the beginning of a line, "##[" anywhere).
#
# usage: terminal.sh BUILD_DIR SOURCE_DIR
set -u
. "$2/tests/e2e/begin.sh"
escape=$(printf '\033') c1=$(printf '\302\233') mark=$(printf '\342\200\256') byte=$(printf '\377')
hostile="::a${escape}[31m##[add-mask]${c1}1m${mark}b${byte}"
tried=0

quiet() { # WORDS...: tutti of these words is quiet
  timeout 20 "$tutti" "$@" >out 2>err </dev/null
  tried=$((tried + 1))
  ! LC_ALL=C grep -ae "[$escape]" -e "$c1" -e "$mark" -e "$byte" -e '##\[' -e '^[[:space:]]*::' out err >found ||
    die "$({ echo "$*: this is printed" && cat found; } | LC_ALL=C tr -c '\n -~' .)"
}

try() { # SUBCOMMAND [VERB]: the hostile word in each place
  quiet "$@" "$hostile"
  quiet "$@" "$hostile" "$hostile"
  quiet "$@" bcast "$hostile"
  quiet "$@" bcast bcast "$hostile"
  quiet "$@" "--$hostile"
  quiet "$@" "-$escape"
  "$tutti" "$@" --help-all >help 2>&1
  for option in $(grep -oE -- '--[a-z][a-z-]+' help | sort -u); do
    quiet "$@" bcast/ring "$option=$hostile"
  done
  quiet "$@" "${option%??}=$hostile"
}

! grep -rn 'fprintf(stderr' "$source/src" --include='*.c' | grep -v progress_format_bar | grep . ||
  die "what is said goes through tutti_say() (base/say.h)"
quiet "$hostile"
quiet help "$hostile"
quiet "--plugin=$hostile"
"$tutti" --help >list
grep -q '^  bench ' list || die "no list of subcommands"
for command in $(sed -n '/^Subcommands/,/^Options/s/^  \([a-z-]*\) .*/\1/p' list); do
  verbs=$("$tutti" "$command" nonsense 2>&1 | sed -n 's/.*: use \(.*\)/\1/p' | sed 's/,\| or / /g')
  for verb in ${verbs:-''}; do
    try "$command" $verb
    quiet "$command" "$hostile"
  done
done
[ $tried -gt 700 ] || die "only $tried command lines"

# Files of such a name: what is written of them is read again, and what is shown of them can be pasted.
rules="r'\$(touch pasted)'$hostile"
printf 'bcast/linear\n' >"$rules"
for format in openmpi openmpi-6 c smpi tutti; do
  quiet export "$rules" -P 2..64 --format $format
  quiet export "$rules" -P 2..64 --format $format -o "$rules.$format"
  [ -s "$rules.$format" ] || die "$format is not exported: $(cat err)"
  ! LC_ALL=C grep -q "$escape" "$rules.$format" || die "$format: the file has the characters"
  grep -aE '^(export|cc|smpirun) ' err | sed 's/^smpirun/:/; s/^cc/:/; s/ \.\.\.$//' >paste.sh
  [ -s paste.sh ] || [ $format = c ] || die "$format: nothing is shown: $(cat err)"
  sh ./paste.sh 2>/dev/null
  [ ! -e pasted ] || die "$format: what is shown runs what is in the name: $(cat err)"
  [ $format = c ] || quiet lint --activate "$rules.$format"
  [ $format = c ] || ! grep -q 'no text file' err || die "$format: what was written is not read: $(cat err)"
done
quiet explain "$rules" --collective bcast -P 4 -s 8
quiet report -o - --decision "$rules"

# Verdicts are in colors on a terminal that has them, and nowhere else.
printf '1\n7\n1\n0\n1\n0 99 0 0\n' >broken
on_terminal() { # VARIABLES...
  env -u NO_COLOR "$@" script -qc "'$tutti' lint --target openmpi-4.1 broken; '$tutti' doctor" /dev/null </dev/null >shown
}
on_terminal TERM=xterm
grep -q "broken:[0-9:]*: $escape\[1;31merror$escape\[0m: " shown || die "no red error: $(cat -v shown)"
grep -q "$escape\[32mok " shown || die "no green ok: $(cat -v shown)"
on_terminal TERM=dumb
! grep -q "$escape" shown || die "colors on a dumb terminal: $(cat -v shown)"
on_terminal TERM=xterm NO_COLOR=1
! grep -q "$escape" shown || die "colors in spite of NO_COLOR: $(cat -v shown)"
env -u NO_COLOR TERM=xterm "$tutti" lint --target openmpi-4.1 broken >out 2>&1
! grep -q "$escape" out || die "colors in a file: $(cat -v out)"
