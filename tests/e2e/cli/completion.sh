#!/bin/bash
# The completion of shells offers what the command has: subcommands, options, collectives, platforms.
#
# usage: completion.sh BUILD_DIR SOURCE_DIR
set -u
. "$2/tests/e2e/begin.sh"
. "$source/scripts/completion/tutti.bash" || die "tutti.bash"
PATH=$build:$PATH

complete_words() { # WORDS...: what is offered for the last one, into offered
  COMP_WORDS=("$@")
  COMP_CWORD=$(($# - 1))
  COMPREPLY=()
  _tutti tutti
  offered="${COMPREPLY[*]}"
}

offers() { # WORD: it is among what is offered
  case " $offered " in
  *" $1 "*) ;;
  *) die "'${COMP_WORDS[*]}' does not offer $1 but: $offered" ;;
  esac
}

complete_words tutti ""
for subcommand in $("$tutti" --help | sed -n '/^Subcommands:$/,/^$/s/^  \([a-z][a-z-]*\) .*/\1/p'); do
  offers "$subcommand"
done
offers_not() { # WORD
  case " $offered " in
  *" $1 "*) die "'${COMP_WORDS[*]}' offers $1" ;;
  esac
}
offers_not tutti # of the examples
complete_words tutti pen
[ "$offered" = penalty ] || die "pen: $offered"
complete_words tutti bench --chu
[ "$offered" = --chunk ] || die "--chu: $offered"
complete_words tutti map --plot
[ "$offered" = --plot ] || die "--plot: $offered"
complete_words tutti map --platform grig_f
[ "$offered" = "grig_fast_ethernet grig_fast_ethernet_hosts grig_fast_ethernet_loggp" ] || die "platforms: $offered"
complete_words tutti map --platform = grig_fast_ethernet_
[ "$offered" = "grig_fast_ethernet_hosts grig_fast_ethernet_loggp" ] || die "platforms after =: $offered"
complete_words tutti learn ''
for learner in c45 quadtree penalty optimal; do
  offers $learner
done
offers_not allreduce
complete_words tutti export rules --format openmpi-
[ "$offered" = "openmpi-4.1 openmpi-5 openmpi-6 openmpi-han-4.1 openmpi-han-5" ] || die "formats: $offered"
complete_words tutti export rules --format mpich-5
[ "$offered" = "mpich-5 mpich-5.1" ] || die "formats: $offered"
complete_words tutti lint rules --target mpich-4.0
[ "$offered" = mpich-4.0 ] || die "targets: $offered"
complete_words tutti import file --format ''
for format in osu imb csv tutti; do
  offers $format
done
complete_words tutti bench bcast --engine ''
[ "$offered" = "smpi fast flow" ] || die "engines: $offered"
complete_words tutti explain bcast --decision ''
for decision in untuned native library:openmpi-4.1 library:mpich-4.0 bcast/binomial; do
  offers $decision
done
complete_words tutti explain bcast --decision library : mpich-
[ "$offered" = mpich-4.0 ] || die "libraries: $offered"
complete_words tutti explain bcast --decision library :
offers openmpi-4.1
complete_words tutti bench bcast --methods bcast/split
[ "$offered" = bcast/split-binary ] || die "methods: $offered"
complete_words tutti learn c45 allr
[ "$offered" = allreduce ] || die "collectives: $offered"
complete_words tutti schedule bcast/split
[ "$offered" = bcast/split-binary ] || die "methods: $offered"
complete_words tutti platform ho
[ "$offered" = hostfile ] || die "platform: $offered"


# The name of a file is not run, neither when it is offered nor when it is taken.
mkdir platforms
for name in '$(>ran)' '`>ran`' 'a;>ran' 'own'; do
  cp "$source/platforms/grig_mx.xml" "platforms/$name.xml"
done
complete_words tutti map --platform ''
[ ! -e ran ] || die "the name of a file ran"
offers own
case $offered in
*ran*) die "offered are $offered" ;;
esac
rm -r platforms

if command -v zsh >/dev/null; then
  zsh -n "$source/scripts/completion/_tutti" || die "_tutti"
fi
if command -v fish >/dev/null; then
  fish -c "source $source/scripts/completion/tutti.fish; complete -C 'tutti pena'" 2>&1 | grep -q '^penalty' || die "tutti.fish"
fi

# Help is asked for in many ways.
run 0 --help
cp out help
for words in help -h; do
  run 0 $words
  cmp -s help out || die "tutti $words: $(cat out)"
done
run 0 platform check --help
cp out help
for words in 'platform check -h' 'help platform check' '--help platform check'; do
  run 0 $words
  cmp -s help out || die "tutti $words: $(cat out)"
done
run 0 bench --help
cp out help
for words in 'bench -h' 'help bench' '-h bench'; do
  run 0 $words
  cmp -s help out || die "tutti $words: $(cat out)"
done
run 0 platform new --help
cp out help
run 0 help platform new
cmp -s help out || die "tutti help platform new: $(cat out)"
run 2 help nonsense
expect "unknown subcommand 'nonsense'"
exit 0
