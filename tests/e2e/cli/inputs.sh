#!/bin/sh
# No command waits for a pipe without a writer, reads a device for ever or fills the memory with a file that is too large:
# each file that it is given is refused by name, in bounded memory.
#
# usage: inputs.sh BUILD_DIR SOURCE_DIR
set -u
. "$2/tests/e2e/begin.sh"
grig=$source/platforms/grig_fast_ethernet.xml
mkdir in && mkfifo in/pipe && truncate -s 3G in/sparse && mkdir in/folder && ln -s /dev/zero in/zero
mkdir bin && ln -s "$source/tests/e2e/fake/smpirun" bin/smpirun
FAKE_TUTTI=$("$tutti" --version | sed 's/^tutti //')
export FAKE_TUTTI
printf '#!/bin/sh\n' >program && chmod +x program
PATH="$place/bin:$PATH" run 0 bench bcast -P 2 -s 8 --platform "$grig" --method bcast/linear --program ./program --db store.db
run 0 import "$source/tests/import/osu_bcast_5.txt" -n 4 --platform told --library OpenMPI-4.1.4 --db told.db --as bcast/linear
MEGABYTES=2000 # of addresses: less than the files have

refused() { # FILE ARGUMENTS...
  file=$1
  shift
  (ulimit -v $((MEGABYTES * 1024)) && exec timeout 20 "$tutti" "$@") >out 2>err </dev/null
  code=$?
  [ $code -eq 2 ] || die "tutti $*: status $code instead of 2: $(cat out err)"
  grep -qF -- "$file" err || die "tutti $*: does not name $file: $(cat err)"
}

checked=0
for file in in/pipe in/sparse in/folder in/zero; do
  while read -r arguments; do
    # Words of this file, none of which has a blank.
    set -- $(echo "$arguments" | sed "s|@|$file|g; s|GRIG|$grig|g; s|TREE|$source/platforms/hdr_fat_tree.xml|g")
    [ "$file $1" = "in/folder import" ] && continue # a folder of PICO
    refused "$file" "$@"
    checked=$((checked + 1))
  done <<'LIST'
schedule bcast/linear --allocation @ --levels @
schedule bcast/linear -P 4 --plugin @
platform check @
platform show @
platform hostfile @ --ranks 2
platform new fat-tree 2x2 --pingpong @
bench @ --db new.db
bench --jobs @ --platform GRIG
bench bcast -P 2 -s 8 --platform @ --db new.db
bench bcast -P 2 -s 8 --platform GRIG --program ./program --db @
params @ --db new.db
params GRIG --program ./program --db @
import @ --platform machine --library openmpi --db new.db
import --format osu @ --platform machine --library openmpi --db new.db
import --format tutti @ --platform machine --db new.db
import --format pico @ --db new.db
merge @ --db new.db
map bcast --db @
map bcast --db store.db --decision @
penalty @ --db store.db
penalty bcast/linear --against @ --db store.db
predict bcast -P 4 -s 8 --platform @
fit @ --vary latency=0.5..2 --from store.db
fit TREE --vary latency=0.5..2 --machine told --from told.db --levels @ --allocation @
predict bcast --platform GRIG --like @ --csv
fit GRIG --vary latency=0.5..2 --from @
fit --check TREE --machine told --from told.db --levels @ --allocation @
fit --check @ --from store.db
whatif @ --set latency=/2 bcast -P 2 -s 8
whatif GRIG --set latency=/2 --trace @
whatif GRIG --set latency=/2 @
replay @ --platform GRIG
forecast @ --platform GRIG
guidelines --decision @ --db store.db
report --db @ -o report.html
report --db store.db --decision @ -o report.html
export @ --format openmpi --db store.db
compare untuned @ -P 2 -s 8 --platform GRIG --db new.db
advise @
explain bcast --decision @ -P 4 -s 8
lint @
lint --target openmpi@5.0.7 @
check --baseline @
check --engines @
LIST
done

[ ! -e new.db ] && [ ! -e report.html ] || die "left a file: $(ls)"
echo "$checked inputs were refused"

# A pipe that the shell hands over is empty after one reading: a command that opens the name twice answers as it does of
# the file, and one that hands the name on to others refuses it.
cat >the__rules <<'RULES'
bcast/linear bytes=..1KB
bcast/binomial
RULES
cat >their_ompi <<'RULES'
1
7
1
4
1
0 6 0 0
RULES
same=0 # the names have as many letters as /dev/stdin
while read -r file status arguments; do
  set -- $(echo "$arguments" | sed "s|GRIG|$grig|g; s|TREE|$source/platforms/hdr_fat_tree.xml|g")
  run "$status" $(echo "$@" | sed "s|@|$file|g")
  sed "s|$place/$file|NAME|g; s|$file|NAME|g" out >of_file
  cat "$file" | "$tutti" $(echo "$@" | sed 's|@|/dev/stdin|g') >out 2>err
  sed 's|/dev/stdin|NAME|g' out >of_pipe
  cmp of_file of_pipe || die "tutti $*: another answer through a pipe: $(cat of_pipe err)"
  same=$((same + 1))
done <<'LIST'
the__rules 0 explain bcast --decision @ -P 4 -s 8
their_ompi 0 explain bcast --decision @ -P 4 -s 8
their_ompi 0 explain bcast --decision @ --target openmpi-5 -P 4 -s 8
the__rules 0 lint @
their_ompi 0 lint --target openmpi-4.1.6 @
the__rules 0 penalty @ --db store.db
the__rules 0 map bcast --db store.db --decision @
the__rules 0 penalty bcast/linear --against @ --db store.db
the__rules 0 guidelines --decision @ --db store.db
the__rules 0 export @ --collective bcast --format c --db store.db
LIST

for arguments in 'lint --activate @' 'platform check @' "compare untuned @ --platform here -P 2 -s 8" \
  'schedule bcast/linear -P 4 --plugin @'; do
  cat their_ompi | "$tutti" $(echo "$arguments" | sed 's|@|/dev/stdin|g') >out 2>err &&
    die "tutti $arguments: a name that nobody can open"
  expect '^tutti: .*/dev/stdin: is opened by its name elsewhere: a regular file is needed'
done
echo "$same inputs were read through a pipe"

# What packed a file is said, and how standard input is called.
gzip -c the__rules >rules.gz
packed=0
while read -r arguments; do
  run 2 $(echo "$arguments" | sed "s|@|rules.gz|; s|GRIG|$grig|")
  expect '^tutti: .*rules.gz: packed by gzip: unpack it first$'
  packed=$((packed + 1))
done <<'LIST'
explain bcast --decision @ -P 4 -s 8
lint @
penalty @ --db store.db
platform check ./@
bench ./@ --db new.db
replay @ --platform GRIG
forecast @ --platform GRIG
whatif GRIG --set latency=/2 --trace @
advise @
check --baseline @
platform new fat-tree 2x2 --pingpong @
import --format osu @ --platform machine --library openmpi --db new.db
LIST
printf '\037\213 a line\n' >rules.gz # without a zero byte
run 2 advise rules.gz
expect '^tutti: rules.gz: packed by gzip: unpack it first$'
for arguments in 'explain bcast --decision -' 'lint -' 'advise -' "replay - --platform $grig" \
  "forecast - --platform $grig"; do
  run 2 $arguments
  expect '^tutti: -: there is no file of that name: standard input is /dev/stdin$'
done
# A name with a blank stands in quotes in a command that is printed.
run 0 new algorithm mine --collective bcast -o 'pl ug'
expect "^  make -C 'pl ug' check"
# Too many ranks for a platform, which is named.
for arguments in "bench bcast --platform $grig -P 999 -s 8" "schedule bcast/linear --platform $grig -P 999" \
  "whatif $grig --set latency=/2 bcast -P 999 -s 8" "platform hostfile $grig --ranks 999"; do
  run 2 $arguments
  expect '999.*grig_fast_ethernet|grig_fast_ethernet.*999'
done
[ ! -e new.db ] || die "left a store"
echo "$packed packed inputs were refused"
