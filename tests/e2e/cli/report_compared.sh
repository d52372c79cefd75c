#!/bin/sh
# What tutti report, map, penalty and advise say of a store that has comparisons: these come first, what a comparison
# contradicts is not recommended, and no difference within the noise is called won or lost.
#
# usage: report_compared.sh BUILD_DIR SOURCE_DIR
set -u
. "$2/tests/e2e/begin.sh"
. "$source/tests/e2e/stores.sh"

# By the times of single launches, which say that they are known to 1 %, the library loses a third.
cat >times <<'END'
bcast/native 8 4 1024 8
bcast/linear@openmpi 8 3 1024 6
bcast/binomial@openmpi 8 3.1 1024 6.2
reduce/native 8 4
reduce/linear@openmpi 8 3
END
spread=' spread_percent=1' library=OpenMPI-4.1.4 machine='ranks_per_node=4 cores=4'
store plain.db openmpi times

pairs() { # FILE COLLECTIVE SIZE ROUNDS AWK-EXPRESSION-OF-AFTER...: records of pairs, before 4 us
  awk -v file="$1" -v collective="$2" -v size="$3" -v rounds="$4" "
    BEGIN {
      print \"tutti-run v=1 tutti=0.1.0 flavor=openmpi library=OpenMPI-4.1.4 ranks=4 ranks_per_node=4 cores=4\"
      for (round = 1; round <= rounds; round++) {
        after = $5
        printf \"tutti-comparison v=1 before=untuned after=%s collective=%s scheme=occ ranks=4 root=0 size_B=%d round=%d first=after before_median_s=4e-06 after_median_s=%.9g\\n\", file, collective, size, round, after * 1e-6
      }
      print \"tutti-end v=1 measurements=\" rounds
    }" >records
  run 0 import --format tutti records --db "$database" --platform here
}
as_text() {
  sed 's/<[^>]*>//g; s/&lt;/</g; s/&gt;/>/g; s/&#39;/'"'"'/g' "$@"
}
said() { # PATTERN: on the page
  grep -Eq -- "$1" page.txt || die "no '$1' on the page: $(grep -i 'compar\|tuning\|recommend' page.txt)"
}
page() { # DATABASE
  run 0 report --db "$1" -o page.html
  as_text page.html >page.txt
  sed '1,/<main>/d; /<footer>/,$d' page.html >body
}
bad=0bad0bad0bad0bad0bad0bad0bad0bad good=900d900d900d900d900d900d900d900d

# --- without a comparison the loss is what the times say ---

page plain.db
grep -q '<strong>bcast/native</strong> takes <strong>32.3 %' body || die "$(grep 'Without tuning' body)"
said '^Recommended rules'
! grep -qi 'compared with the library left alone' page.txt || die "a comparison: $(grep -i compared page.txt)"

# --- a file that loses, and else differs within the noise ---

cp plain.db lost.db
database=lost.db
pairs $bad bcast 8 16 '7 + round % 3 / 10'
pairs $bad bcast 1024 16 '4 + (round % 2 ? 1 : -1) * (1 + round / 10)'
page lost.db
said 'What comparisons found'
said '^A file for bcast, 0bad0bad0bad, was compared with the library left alone: lost at 1 of 2 points, by \+77\.[0-9] %; no difference beyond the noise at 1\.'
! grep -q '<strong>bcast/native</strong> takes <strong>32.3 %' body || die "praised all the same: $(grep 'native' body | sed q)"
said '^By the times of single launches bcast/native takes 32.3 % more time than the best method.*does not confirm'
said '^Rules that were learnt$'
said '^Not recommended: '
said '^Recommended rules' # of reduce, which nothing was compared of
grep -q '<strong>reduce/native</strong> takes <strong>33.3 %' body || die "reduce: $(grep 'reduce/native' body)"
awk '/<article/ { map++ } map == 1' body >first
! grep -q 'tutti export' first || die "installs what lost: $(grep -o 'tutti export[^<]*' first)"
run 0 report --db lost.db --json
expect '"comparisons":'
expect '"file": "0bad0bad0bad0bad0bad0bad0bad0bad"'
expect '"won": 0'
expect '"lost": 1'
expect '"unclear": 1'

# The commands that weigh the same times say so, too; of reduce nobody knows.
sentence='A comparison comes first: a file for bcast, 0bad0bad0bad, was compared with the library left alone: lost at 1 of 2 points'
run 0 map bcast --platform here --db lost.db
expect "^ *$sentence"
run 0 penalty bcast/native --platform here --db lost.db
expect "^ *$sentence"
run 0 export bcast/native --format openmpi --platform here --db lost.db -o praised.rules
expect "^$sentence" # before the figures of single measurements
run 0 map reduce --platform here --db lost.db
! grep -q 'comparison' out || die "of reduce: $(cat out)"
{
  echo "tutti-run v=1 tutti=0.1.0 flavor=openmpi library=OpenMPI-4.1.4 ranks=4 ranks_per_node=4"
  echo "tutti-program v=1 program=app ranks=4 elapsed_s=2 collectives_s=4 calls=1600 left_out=0"
  echo "tutti-call v=1 program=app site=app+0x1 communicator=MPI_COMM_WORLD comm_ranks=4 comm_nodes=1 collective=bcast" \
    "ran=bcast/native size_B=8 type=MPI_BYTE type_B=1 operation=- root_least=0 root_most=0 calls=1600 total_s=4 slowest_s=1" \
    "minimum_s=0.001 maximum_s=0.01 between_s=2 waiting_s=1 spread_s=0.001 last_rank=3 samples=100"
  echo "tutti-end v=1 measurements=2"
} >app.profile
run 0 advise app.profile --platform here --db lost.db
expect "^$sentence"

# --- all within the noise: nothing is lost, nothing is won ---

cp plain.db noise.db
database=noise.db
pairs $bad bcast 8 16 '4 + (round % 2 ? 1 : -1) * (1 + round / 10)'
page noise.db
said 'A file for bcast, 0bad0bad0bad, was compared with the library left alone: no difference beyond the noise at 1 of 1 point\.'
said '^Rules that were learnt$'
! grep -q '<strong>bcast/native</strong> takes' body || die "a loss within the noise: $(grep native body | sed q)"

# --- too few rounds say nothing: neither praise nor blame ---

cp plain.db few.db
database=few.db
pairs $bad bcast 8 2 7
page few.db
said 'compared with the library left alone: 2 rounds are too few for 1 point: it takes 6 before one can be won or lost\.'
said '^Recommended rules'

# --- a file that wins and loses nothing is recommended by name ---

cp lost.db won.db
database=won.db
pairs $good bcast 8 16 '2 + round % 3 / 10'
page won.db
said '^A file for bcast, 900d900d900d, was compared with the library left alone: won at 1 of 1 point, by -4[0-9]\.[0-9] %\.'
said '^Better than these rules, because it was compared: the file whose SHA-256 begins with 900d900d900d'
grep -q '<strong>bcast/native</strong> takes <strong>32.3 %' body || die "not praised though it won: $(grep native body | sed q)"
run 0 map bcast --platform here --db won.db
expect 'A comparison comes first: a file for bcast, 900d900d900d, '

# The same store gives the same bytes.
cp page.html before.html
page won.db
cmp -s before.html page.html || die "another page of the same store"
exit 0
