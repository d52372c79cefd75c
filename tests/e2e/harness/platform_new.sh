#!/bin/sh
# tutti platform new: the files load, have no findings, and SimGrid measures what was asked for; several network cards
# carry several messages; docs/how-to/describe-a-topology.md.
#
# usage: platform_new.sh BUILD_DIR SOURCE_DIR
set -u
. "$2/tests/e2e/begin.sh"
need smpirun simgrid

created() { # FILE ARGUMENTS...: a file that is as asked for
  file=$1
  shift
  run 0 platform new "$@" -o "$file"
  run 0 platform check "./$file" --measure
  [ ! -s err ] || die "$*: $(cat err)"
  grep -q '^alpha.* 0\.00 %$' out && grep -q '^beta.* 0\.00 %$' out || die "$* is off: $(cat out)"
}

distances() { # ALPHA...: what is measured from the first host, in us
  sed -n '/by distance/,$p' out | awk 'NR > 2 { print $(NF - 1) }' | tr '\n' ' ' >found
  [ "$(cat found)" = "$* " ] || die "$file: distances $(cat found), not $*"
}

time_of() { # FILE METHOD RANKS: microseconds of a broadcast of 1 MB, rounded
  rm -f times.db
  "$tutti" bench bcast --platform "./$1" -P "$3" -s 1MB --methods "$2" --db times.db --quiet >/dev/null 2>err ||
    die "bench: $(cat err)"
  "$tutti" map bcast --platform "./$1" --db times.db --csv | awk -F, 'NR == 2 { printf "%.0f\n", 1e6 * $10 }'
}

message='--latency 1.9us --bandwidth 2GBps'
created cluster.xml cluster 16 $message
created node.xml cluster 16 $message --ranks-per-node 4 --loopback-latency 0.5us --loopback-bandwidth 4GBps
distances 0.5 1.9
created cards.xml cluster 16 $message --nics 4
created tree.xml fat-tree 4x4/2 $message --hop-latency 200ns --ranks-per-node 2
distances 1.5936 1.9 2.3
created torus.xml torus 4x3x2 $message
distances 1.9 2 2.1 2.2
created fly.xml dragonfly 4x4x2 $message --ranks-per-node 4 --nics 2 --global-cables 3
distances 1.7936 1.9 2 2.1 2.2
created plus.xml dragonfly+ 3x4x6 $message --hop-latency 150ns --nics 4 --spines 6
distances 1.9 2.2 2.35
created lone.xml dragonfly+ 3x1x1 $message

# A node of several hosts: new and show say so, and two-level algorithms group by node.
several='a node is [0-9]+ hosts, one for each network card'
run 0 platform new dragonfly 4x4x2 $message --ranks-per-node 4 --nics 2 -o again.xml
expect "^tutti: note: $several, with 2 ranks on each: messages between them .*; to algorithms of two levels they are one node of 4 ranks$"
run 0 platform new dragonfly+ 3x4x6 $message --ranks-per-node 4 --nics 2 -o again.xml
! grep -Eq "$several" err || die "cards that are no hosts: $(cat err)"
run 0 bench bcast --platform ./again.xml -P 4 -s 8 --engine fast --db none.db -q
refused() { # FROM TO PATTERN: a file that is another machine
  sed "s#$1#$2#" again.xml >other.xml
  cmp -s again.xml other.xml && die "no $1 in the file"
  run 2 bench bcast --platform ./other.xml -P 4 -s 8 --engine fast --db none.db -q
  expect "other\.xml:[0-9]+: the engine does not know $3; --engine smpi simulates it"
}
form='a dragonfly\+ of another form than tutti platform new writes: expected'
refused 'id="g1_g2" bandwidth="2e' 'id="g1_g2" bandwidth="3e' "$form <link id=\"g1_g2\"> like \"g0_g1\""
refused '\(id="g1_l1_up" direction="\)UP' '\1DOWN' "$form <zoneRoute src=\"g1_l1\" .*> over \"g1_l1_up\" alone, UP"
refused 'radical="6-11"' 'radical="72-77"' "$form router_id=\"g0_l1_switch\" and radical=\"6-11\""
refused 'routing="Floyd"' 'routing="Dijkstra"' "$form routing=\"Floyd\" and clusters"
sed 's#"g0_l0"#"first"#' again.xml >other.xml # zones as any others
run 0 bench bcast --platform ./other.xml -P 4 -s 8 --engine fast --db none.db -q
run 0 schedule allgather/ring -P 24 --platform ./again.xml
expect '^leaf switch '
run 0 platform check ./fly.xml
expect '^\./fly\.xml: valid, 32 nodes of 2 hosts, 2 ranks per host$'
run 0 platform check ./fly.xml --measure
expect '^ +measured +stated +difference$'
# One row of a change has one notation.
run 0 whatif ./fly.xml --set 'loopback-bandwidth=*2' -o faster.xml
expect ' 1e\+10Bps +2e\+10Bps$'
run 0 platform show ./fly.xml
expect '^ranks per node +4, on 2 hosts of 2: each stands for a network card$'
run 0 platform show ./fly.xml --json
expect '"ranks_per_node": 2,'
expect '"hosts_per_node": 2,'
for methods in '' '--methods two-level'; do
  # shellcheck disable=SC2086
  run 0 bench bcast --platform ./fly.xml -P 16 -s 8 $methods --engine fast --db nodes.db -q
  run 0 map bcast --platform ./fly.xml --db nodes.db --times --json
  expect 'bcast/two-level/ranks_per_node=4'
  grep -q 'ranks_per_node=2"' out && die "two-level by host: $(cat out)"
  rm -f nodes.db*
done

# Messages to four others leave by one card, one after the other, or by four at once; a message alone uses one.
one=$(time_of cluster.xml linear 5) four=$(time_of cards.xml linear 5) plus=$(time_of plus.xml linear 5)
single=$(time_of cards.xml linear 2) alone=$(time_of plus.xml linear 2)
for time in "$four" "$plus" "$single" "$alone"; do
  [ "$time" -ge 525 ] && [ "$time" -le 535 ] || die "1 MB by one of several cards: $one, $four $plus $single $alone us"
done
[ "$one" -ge 2095 ] && [ "$one" -le 2105 ] || die "four times 1 MB by one card: $one us"

# Overhead of the sender is paid within a node, too: what became of the latency is said.
run 0 platform new fat-tree 4x4 --latency 1us --bandwidth 25GBps --ranks-per-node 4 -o slow.xml
expect "^tutti: warning: a message takes 0\.9 us within a node, 90 % of the 1 us between nodes, of which 0\.799 us are overhead of \
the sender, within a node, too: --overhead 200ns would make it 0\.301 us, and cables longer$"
created fast.xml fat-tree 4x4 --latency 1us --bandwidth 25GBps --ranks-per-node 4 --overhead 200ns
grep -q 'loopback_bw="2.5e+10Bps"' fast.xml || die "memory is slower than the network: $(grep loopback fast.xml)"
distances 0.30064 1 1.79936
run 0 platform new fat-tree 4x4 --latency 1us --bandwidth 25GBps --ranks-per-node 4 --overhead 200ns
expect '^tutti: note: a message takes 0\.301 us within a node, 1 us between the two nearest nodes$'
created hockney.xml fat-tree 4x4 --latency 1us --bandwidth 25GBps --ranks-per-node 4 --overhead 0s --loopback-latency 0.25us
distances 0.25 1 1.99936
run 2 platform new fat-tree 4x4 $message --overhead 200ns --hop-latency 100ns
expect '^tutti platform new: --overhead and --hop-latency: the latency gives one from the other$'
run 2 platform new fat-tree 4x4 $message --overhead 2us
expect '^tutti: an overhead of 2 us leaves nothing of a latency of 1\.9 us for the links$'
run 2 platform new torus 4x4 $message --ranks-per-node 4 --loopback-latency 0.5us
expect '^tutti: messages within a node take .* an overhead below 0.[0-9]* us, or longer times for cables'

run 2 platform new fat-tree 36x18/5 $message
expect "^tutti: '36x18/5' does not describe a fat-tree: 36 is not divisible by 5$"
run 2 platform new fat-tree 36y18 $message
expect "^tutti: '36y18' does not describe a fat-tree: expected NODESxSWITCHES\[x\.\.\.\], or /N after it, such as 32x18/2$"
run 2 platform new torus 4x $message
expect "^tutti: '4x' does not describe a torus: expected NxN\[x\.\.\.\], such as 16x16x8$"
run 2 whatif infiniband --set topology=fat-tree:36x18/5 -o x.xml
expect "'36x18/5' does not describe a fat-tree: 36 is not divisible by 5"
run 0 platform new cluster 16 $message --ranks-per-node 400 -o crowd.xml
expect '^tutti: warning: 400 ranks a node: SimGrid shares the network of a node anew'
run 1 platform check ./crowd.xml --strict
expect '400 ranks a node: SimGrid shares the network of a node anew'

# Switches and nodes of other programs' files: SimGrid runs what is made of them, the same in each run.
printf 'SwitchName=t Switches=l[0-1]\nSwitchName=l0 Nodes=n[1-4]\nSwitchName=l1 Nodes=m[1-2] Speed=1\nhello\n' >uneven.conf
run 0 platform new --from uneven.conf $message --ranks-per-node 2 -o uneven.xml
expect '^  passed over, 2 in all:$'
expect '^      uneven\.conf:4: hello$'
expect '^tutti: note: uneven\.conf: 6 nodes at 2 switches, 1 switch of 6 nodes$'
run 2 platform new --from uneven.conf --strict $message
expect '^tutti: uneven\.conf:3: no key of topology\.conf: Speed$'
run 0 platform check ./uneven.xml --measure
grep -q '^m1  *other zone ' out || die "no host at the other switch: $(cat out)"
run 0 check --engines allreduce --platform ./uneven.xml -P 5,12 -s 8,64KB --methods ring
expect '100\.00 %  100\.00 %  100\.00 %'
run 0 platform show ./uneven.xml
expect '^nodes  *n\[1-4\],m\[1-2\]$'
printf 'SwitchName=t Switches=l[0-2]\nSwitchName=l0 Nodes=n[1-4]\nSwitchName=l1 Nodes=n[5-8]\nSwitchName=l2 Nodes=n[9-12]\n' >even.conf
run 0 platform new --from even.conf $message -o even.xml
grep -q 'topology="FAT_TREE" topo_parameters="2;4,3;1,4;1,1"' even.xml || die "even switches: $(cat even.xml)"
run 0 platform show ./even.xml
expect '^levels  *4$'
run 0 bench bcast --platform ./even.xml -P 12 -s 8 --engine fast --db even.db -q
printf '8 2\n1024 9\n1048576 100\n' >bent
run 0 platform new cluster 4 --pingpong bent -o bent.xml
expect '^tutti: warning: bent: 3 times are fit by .*; the largest error is -[5-9][0-9] %, at 1KB: keep the lines of the sizes that matter$'
run 2 platform new cluster 4 --from even.conf $message
expect "^tutti: even\.conf: it says how nodes are connected: leave out '4'$"
printf 'SwitchName=a Nodes=n1\n' >lone.conf
run 2 platform new --from lone.conf $message
expect '^tutti: lone\.conf: one node, and a machine has two or more: tutti platform new cluster 4 makes 4$'
run 2 platform new --from even.conf --latency 1us
expect '^tutti: --bandwidth is missing: even\.conf has no rates of cables$'
run 2 platform new --from uneven.xml $message
expect '^tutti: uneven\.xml: none of topology\.conf and topology\.yaml of Slurm, '

run 2 platform new cluster 16 --latency 1us
expect '^tutti platform new: --latency and --bandwidth are missing, or --pingpong FILE$'
run 2 platform new fat-tree 4x4 $message --spines 2
expect '^tutti platform new: --spines is for a dragonfly\+$'
run 2 platform new ring 4 $message
expect "unknown kind of machine 'ring': known are cluster, fat-tree, torus, dragonfly, dragonfly\+"
run 2 platform new torus 4x4 $message --nics 2 -o torus.xml
expect '^tutti: a node of a torus has a cable in every direction'
grep -q 4,3,2 torus.xml || die "a file was replaced although nothing could be written"

# The page.
cd "$place" && mkdir page && cd page || exit 1
block how-to/describe-a-topology.md 'text pingpong.txt' >pingpong.txt
block how-to/describe-a-topology.md 'text topology.conf' >topology.conf
block how-to/describe-a-topology.md sh >commands
PATH=$build:$PATH sh -e ./commands >said 2>&1 || die "the page: $(cat said)"
# The table of shapes, and the command within the text.
sed -n 's/^|[^|]*| `\([a-z+-]* [^`]*\)` | .*`\([^`]*\)`[^`]*$/\1|\2/p' "$source/docs/how-to/describe-a-topology.md" >shapes
[ "$(wc -l <shapes)" -eq 6 ] || die "the shapes of the page: $(cat shapes)"
while IFS='|' read -r shape told; do
  # shellcheck disable=SC2086
  eval "'$tutti' platform new $shape $message" >made.xml || die "the page: $shape"
  case $told in
  '<cluster>') ! grep -q topology= made.xml ;;
  *) grep -qF "topo_parameters=\"$told\"" made.xml ;;
  esac || die "$shape is not $told: $(tail -n 9 made.xml)"
done <shapes
run 0 bench allreduce --platform ./tree.xml -P '8..64*2' -s '8..32KB*8' --engine fast -q
expect '^allreduce: [1-9][0-9,]* points measured'
block how-to/describe-a-topology.md text >text
grep -vxF -f said text >missing && die "the page promises '$(cat missing)', but: $(cat said)"
[ "$(grep -c ' 0\.00 %$' said)" -eq 4 ] || die "what the page measures: $(cat said)"
grep -q 'whatif.xml: valid, 1024 hosts, 4 ranks per node' said || die "whatif: $(cat said)"
grep -q 'tutti/description" value="infiniband; edited: topology=fat-tree:32x32, ' whatif.xml ||
  die "whatif keeps what was said of the machine before: $(grep description whatif.xml)"
echo "new platforms are what was asked for"
