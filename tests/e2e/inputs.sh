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
guidelines --decision @ --db store.db
report --db @ -o report.html
report --db store.db --decision @ -o report.html
learn c45 @
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
