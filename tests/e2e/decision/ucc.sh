#!/bin/sh
# UCC follows what is exported for it, and tutti explain says what it picks: at QUESTIONS points (200) of random
# decisions, as variables and as configurations. Skipped without UCC (Debian unstable: libucc-dev).
#
# usage: ucc.sh BUILD_DIR SOURCE_DIR [QUESTIONS]
set -u
. "$2/tests/e2e/begin.sh"

echo '#include <ucc/api/ucc.h>' | ${CC:-cc} -E - >/dev/null 2>&1 || { echo 'skipped: no UCC'; exit 77; }
${CC:-cc} -O1 -std=gnu17 -o choice "$source/tests/e2e/decision/ucc.c" -rdynamic -lucc -lpthread || die 'ucc.c'

# decide SEED: rules of methods that both formats have.
decide()
{
  awk -v seed="$1" 'BEGIN {
    srand(seed)
    count = split("bcast/two-tree bcast/k-nomial reduce/two-tree reduce/k-nomial allreduce/two-tree allgather/ring " \
                  "allgather/bruck allgather/sparbit allgather/direct-messaging allgatherv/ring alltoall/bruck", methods, " ")
    for (i = 0; i < 30; i++) {
      first = 2 + int(rand() * 8)
      bytes = int(2 ^ (rand() * 20))
      printf "%s ranks=%d..%d bytes=%d..%d\n", methods[1 + int(rand() * count)], first, first + int(rand() * (17 - first)),
             rand() < 0.3 ? 0 : bytes, bytes + int(2 ^ (rand() * 22))
    }
  }'
}

# questions SEED RANKS FILE: of the collectives of the rules, sizes at random, and beside the numbers of the file.
questions()
{
  grep -o '[0-9][0-9]*' "$3" | awk -v seed="$1" -v ranks="$2" -v all="$(cut -d/ -f1 rules | sort -u | tr '\n' ' ')" '
    { edges[++edge_count] = $1 }
    END {
      srand(seed)
      count = split(all, names, " ")
      for (i = 0; i < 50; i++) {
        name = names[1 + int(rand() * count)]
        bytes = rand() < 0.4 ? int(2 ^ (rand() * 22)) : edges[1 + int(rand() * edge_count)] + int(rand() * 3) - 1
        if (name ~ /^all[gt]/ && rand() < 0.7)
          bytes = int(bytes / ranks)
        print name, bytes < 1 ? 1 : bytes % 1000000000
      }
    }'
}

UCC_LOG_LEVEL=fatal
export UCC_LOG_LEVEL
asked=0 told=0 seed=0
while [ "$asked" -lt "${3:-200}" ]; do
  seed=$((seed + 1))
  ranks=$((2 + seed * 5 % 15))
  decide $seed >rules
  for format in ucc ucc-conf; do
    run 0 export rules --format $format --ranks 2..16 -o tuning
    questions $seed $ranks tuning >asking
    ./choice $ranks <asking >own 2>errors || die "UCC alone: $(cat errors)"
    if [ $format = ucc ]; then
      (. ./tuning && ./choice $ranks) <asking >chosen 2>errors
    else
      UCC_CONFIG_FILE=$PWD/tuning ./choice $ranks <asking >chosen 2>errors
    fi || die "UCC with $format: $(cat errors)"
    while read -r collective _ bytes algorithm; do
      read -r _ _ _ default <&3
      "$tutti" explain "$collective" --decision tuning -P $ranks -s "${bytes}B" >out 2>errors || die "$(cat errors)"
      explained=$(sed -n '3{s/^ *//;s/,.*//;p;}' out)
      asked=$((asked + 1))
      case $explained in
      *"own choice"*) explained=$default ;;
      *) told=$((told + 1)) ;;
      esac
      [ "$explained" = "$algorithm" ] ||
        die "$collective of ${bytes}B on $ranks ranks, $format of seed $seed: UCC $algorithm, explain $explained"
    done <chosen 3<own
  done
done
[ "$told" -gt $((asked / 10)) ] || die "only $told of $asked points are told"
echo "$asked points, $told of them told"
echo '1 passed, 0 failed'
