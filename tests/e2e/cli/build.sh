#!/bin/sh
# docs/how-to/build.md: who only wants to use Tutti builds and installs it as the page says, in a copy of the sources, and has a
# command that measures; no file of the tests is built.
#
# usage: build.sh BUILD_DIR SOURCE_DIR
set -u
. "$2/tests/e2e/begin.sh"
need smpirun simgrid
unset TUTTI_PLATFORM_PATH TUTTI_PLOTS PKG_CONFIG_PATH DESTDIR
HOME=$place/home
export HOME
mkdir home
copy_sources
share_objects

block how-to/build.md 'sh use' >commands
sed -i 's/-DBUILD_TESTING=OFF$/& -DTUTTI_FLAVORS_WANTED=smpi -DTUTTI_WERROR=ON/' commands # a third of it
grep -q 'TESTING=OFF -DTUTTI_FLAVORS_WANTED=smpi' commands && grep -q 'cmake --install' commands || die "the page does not install: $(cat commands)"
echo 'command -v tutti' >>commands
(cd copy && sh -eu ../commands) >log 2>&1 || die "the page's commands: $(tail -n 30 log)"
tutti=$(tail -n 1 log)
[ "$tutti" = "$HOME/tutti/bin/tutti" ] || die "the page's tutti is $tutti"
[ ! -d copy/build/tests ] || die "tests are built: $(ls copy/build/tests)"

mv copy/build moved # nothing of it is needed
run 0 bench bcast --platform fast_ethernet -P 4 -s 8,1KB --methods linear,binomial --quiet
expect '^bcast: 4 points measured'
run 0 map bcast --platform fast_ethernet
expect 'bcast/linear'
headers=$(PKG_CONFIG_PATH=$HOME/tutti/lib/pkgconfig pkg-config --variable=includedir tutti)
[ -e "$headers/tutti/algorithm.h" ] || die "no headers in '$headers', where pkg-config sees them"
