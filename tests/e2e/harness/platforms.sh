#!/bin/sh
# Every platform of the project loads in SimGrid, sends messages, and has its published parameters.
#
# usage: platforms.sh BUILD_DIR SOURCE_DIR
set -u
. "$2/tests/e2e/begin.sh"
need smpirun simgrid

says() { # PROPERTY: the file has it
  grep -q "<prop id=\"tutti/$1\" value=\"..*\"/>" "$file"
}

count=0 published=0 rows=0
for file in "$source"/platforms/*.xml; do
  "$tutti" platform check "$file" --measure >out 2>err || die "status $? of $file: $(cat out err)"
  ! grep -v ': still at work after' err || die "$file: $(cat err)"
  says description && says source || die "$file does not say what it is and where its numbers come from"
  for value in alpha beta; do
    says published-$value || continue
    grep -q "^$value.* 0\.00 %\$" out || die "$file is off: $(cat out)"
    published=$((published + 1))
  done
  grep -q "^| \`$(basename "$file" .xml)\` |" "$source/platforms/README.md" || die "$file is not in platforms/README.md"
  # The latency of the first table, to as many digits as are printed there.
  row=$(awk -F ' *[|] *' -v name="\`$(basename "$file" .xml)\`" '$2 == name && $3 ~ / x / { print $4; exit }' "$source/platforms/README.md")
  digits=${row#*.} && digits=${digits%% *}
  found=$(awk -v digits=${#digits} '/^alpha/ { printf "%.*f us", digits, $3 }' out)
  [ "$row" = "$found" ] || die "platforms/README.md: $file: latency '$row', measured '$found'"
  # Rows of the table within a node, to the nearest, to the farthest.
  row=$(grep "^| \`$(basename "$file" .xml)\` | [0-9.]* us " "$source/platforms/README.md" | grep -oE '[0-9.]+ us' | tr -d '\n')
  found=$(sed -n '/by distance/,$p' out | awk 'NR > 2 { time[++n] = $(NF - 1) } END { printf "%.3f us%.3f us%.3f us", time[1], time[2], time[n] }')
  [ -z "$row" ] || [ "$row" = "$found" ] || die "platforms/README.md: $file: $row, measured $found"
  [ -z "$row" ] || rows=$((rows + 1))
  count=$((count + 1))
done
[ $rows -eq 4 ] || die "$rows rows of times within a node"
[ $published -ge 20 ] || die "only $published values of $count platforms are published"
# What the page says of a group on two machines.
for platform in intrepid bgp; do
  "$tutti" group shrink-hash/no-filler -P 4096 --platform $platform --engine fast --db groups.db --csv >out 2>err || die "group: $(cat err)"
  awk -F , 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "median_s") column = i } NR == 2 { printf "%.2f\n", 1e6 * $column }' out
done >times
said=$(tr '\n' ' ' <"$source/platforms/README.md" | grep -oE '4096 --platform intrepid` \(fraction 0\.3\) takes [0-9.]+ +us, on `bgp` [0-9.]+' |
  grep -oE '[0-9]+\.[0-9]{2}')
[ "$said" = "$(cat times)" ] || die "platforms/README.md: groups of 4,096 ranks take $said, measured: $(cat times)"
# A SimGrid to which a file does not say all.
mkdir bin
for version in 3.32 4.1; do
  printf '#!/bin/sh\necho SimGrid version %s\n' $version >bin/smpirun && chmod +x bin/smpirun
  PATH=$place/bin:$PATH "$tutti" platform options cisco_infiniband >out.$version 2>err || die "options: $(cat err)"
  [ ! -s err ] || die "options of $version: $(cat err)"
done
sed 's/"smpi\/os" value="[^"]*"/"smpi\/os" value="0:1us:0;8:2us:0"/' "$source/platforms/bgp.xml" >steps.xml
PATH=$place/bin:$PATH "$tutti" platform options ./steps.xml >out 2>err || die "options: $(cat err)"
expect '^tutti: warning: \./steps\.xml: SimGrid 4\.1 takes nothing of smpi/os for messages of 0 B or less: .* 1 us there'
[ "$(cat out)" = "--cfg=smpi/ois:2.8600000000000001e-06" ] || die "options with a step: $(cat out)"
[ ! -s out.3.32 ] && [ "$(tr '\n' ' ' <out.4.1)" = "$(for o in os ois or; do printf -- '--cfg=smpi/%s:1.1999999999999999e-06 ' $o; done)" ] ||
  die "options: $(cat out.*)"
"$tutti" platform list >out 2>err || die "list: $(cat err)"
[ "$(wc -l <out)" -gt "$count" ] || die "$count files, listed are: $(cat out)"
echo "$count platforms load and send, $published published values are met"
