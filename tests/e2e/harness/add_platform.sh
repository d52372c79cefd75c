#!/bin/sh
# docs/how-to/add-a-platform.md: its platform has its published parameters, and its sweep gives a map.
#
# usage: add_platform.sh BUILD_DIR SOURCE_DIR
set -u
. "$2/tests/e2e/begin.sh"
PATH=$build:$PATH

block how-to/add-a-platform.md "xml mycluster.xml" >mycluster.xml
block how-to/add-a-platform.md "xml sweep.xml" >sweep.xml
block how-to/add-a-platform.md sh >commands
[ "$(wc -l <commands)" -eq 8 ] || die "the page's commands: $(cat commands)"
sh -eux commands >out 2>err || die "the page's commands: $(cat out err)"
expect '^alpha +\[us\] +1\.9 +1\.9 +0\.00 %$'
block how-to/add-a-platform.md text >text && grep -qxFf text out || die "not printed: $(cat text out)"
expect '^ +alltoall +congested +4 +100\.00 %'
expect '^first_sweep: [1-9][0-9]* points measured'
expect '^ +64KB '
# The commands within the text: the one writes the page's links, the other compares the page's parameters.
mkdir made
grep -o '`tutti platform new [^`]*`' "$source/docs/how-to/add-a-platform.md" | sed -n '/mycluster/s/`//gp' >commands
[ "$(wc -l <commands)" -eq 1 ] || die "the page's command: $(cat commands)"
(cd made && sh -eu ../commands) || die "the page's command: $(cat commands)"
for value in 'lat="0.9468us"' 'radical="0-31"' 'maxmin/concurrency-limit" value="1"'; do
  grep -q "$value" mycluster.xml && grep -q "$value" made/mycluster.xml || die "$value: $(cat made/mycluster.xml)"
done
run 0 params mycluster.xml --compare
# Costs by size, as the page writes them, mean the same to both engines.
awk '/^## / { on = /Costs by size/ } on && /^    <prop/' "$source/docs/how-to/add-a-platform.md" >costs
[ "$(wc -l <costs)" -eq 5 ] || die "the page's costs: $(cat costs)"
sed -e '/smpi\/lat-factor/d' -e '/detached-thresh/d' -e '/<config>/r costs' mycluster.xml >costs.xml
run 0 check --engines bcast --platform ./costs.xml -P 8 -s 8,8KB,64KB --methods linear,chain
expect '^ +bcast +costs +6 +100\.00 %'
sed -i 's/value="1.9e-6"/value="2.0e-6"/' mycluster.xml
run 1 platform check mycluster.xml --measure
