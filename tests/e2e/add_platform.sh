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
[ "$(wc -l <commands)" -eq 3 ] || die "the page's commands: $(cat commands)"
sh -eux commands >out 2>err || die "the page's commands: $(cat out err)"
expect '^alpha +\[us\] +1\.9 +1\.9 +0\.00 %$'
expect '^first_sweep: [1-9][0-9]* points measured'
expect '^ +64KB '
sed -i 's/value="1.9e-6"/value="2.0e-6"/' mycluster.xml
run 1 platform check mycluster.xml --measure
