#!/bin/sh
# The installed files work: the command with its programs, platforms and plots, man pages, completion,
# pkg-config files (a program of each flavor is compiled and run), and the Debian packages.
#
# usage: install.sh BUILD_DIR SOURCE_DIR
set -u
. "$2/tests/e2e/begin.sh"
unset TUTTI_PLATFORM_PATH TUTTI_PLOTS

DESTDIR=$place/root cmake --install "$build" >log 2>&1 || die "cmake --install: $(cat log)"
prefix=$place/root$(sed -n 's/^CMAKE_INSTALL_PREFIX:PATH=//p' "$build/CMakeCache.txt")
tutti=$prefix/bin/tutti

# The command, moved away from where it was built.
run 0 platform list
expect '^fast_ethernet '
if [ -e "$prefix/libexec/tutti/smpi/tutti-bench" ]; then
  cp "$source/experiments/every_collective.xml" .
  sed -n '1,/<\/sweep>/p' every_collective.xml >one.xml && echo '</experiment>' >>one.xml
  run 0 bench one.xml --quiet
  expect '^every_collective: [1-9][0-9,]* points measured'
  run 0 platform check fast_ethernet --measure
fi

[ -e "$prefix/libexec/tutti/tutti-date.so" ] || die "nothing that fixes the date of pictures"
run 0 rank-maps contiguous
expect "old name of $prefix/libexec/tutti/tutti-rank-maps\$"

# Programs and libraries are hardened (cmake/TuttiHardening.cmake).
if command -v readelf >/dev/null && ! grep -q '^TUTTI_SANITIZE:BOOL=ON' "$build/CMakeCache.txt"; then
  seen=0
  find "$prefix" -type f ! -name '*.a' >files
  while read -r file; do
    LC_ALL=C readelf -hldsW "$file" >elf 2>/dev/null && grep -q '^ELF Header' elf || continue
    seen=$((seen + 1))
    grep -Eq '^ *Type: *DYN' elf || die "$file: not position-independent"
    grep -q 'GNU_RELRO' elf && grep -Eq 'BIND_NOW|Flags:.* NOW' elf || die "$file: its relocations can be written"
    ! grep -Eq 'GNU_STACK .* RWE' elf || die "$file: its stack can be executed"
    [ "${file##*/}" = tutti-date.so ] && continue # one function, without an array
    grep -q '__stack_chk_fail' elf || die "$file: its stacks are not guarded"
    grep -Eq '__[a-z]+_chk' elf || die "$file: it has no checked forms of functions"
  done <files
  [ $seen -ge 5 ] || die "only $seen programs and libraries found"
fi

# Man pages: one for each subcommand, without warnings.
for name in $("$tutti" --help | sed -n '/^Subcommands:$/,/^$/s/^  \([a-z-]*\) .*/\1/p') platform-new new-algorithm; do
  page=tutti-$name.1
  gunzip -c "$prefix/share/man/man1/$page.gz" >"$page" || die "no man page of tutti $name"
  complaints=$(LC_ALL=C.UTF-8 groff -man -Tutf8 -ww -z "$page" 2>&1)
  [ -z "$complaints" ] || die "$page: $complaints"
  grep -q '^tutti.*\\- ' "$page" || die "$page names nothing"
done

# tutti(1) lists the subcommands, and man finds it; completion is where shells look for it; the Python module finds the command.
gunzip -c "$prefix/share/man/man1/tutti.1.gz" >tutti.1 || die "no man page tutti(1)"
for name in $("$tutti" --help | sed -n '/^Subcommands:$/,/^$/s/^  \([a-z-]*\) .*/\1/p'); do
  sed 's/\\-/-/g' tutti.1 | grep -qxE "($name|\.B $name)" || die "tutti(1) does not list $name"
done
if command -v man >/dev/null; then
  MANPATH=$prefix/share/man man -w tutti >out 2>&1 || die "man tutti: $(cat out)"
fi
for file in bash-completion/completions/tutti zsh/vendor-completions/_tutti fish/vendor_completions.d/tutti.fish; do
  grep -q tutti "$prefix/share/$file" || die "no completion $file"
done
if command -v python3 >/dev/null; then
  PYTHONPATH=$prefix/share/tutti/python PYTHONDONTWRITEBYTECODE=1 python3 -c 'import tutti; print(tutti.binary())' >out 2>&1
  [ "$(readlink -f "$(cat out)")" = "$(readlink -f "$tutti")" ] || die "tutti.py finds another command: $(cat out)"
fi

# Programs against the installed headers and libraries, found by pkg-config.
libraries=$(dirname "$(find "$prefix" -name tutti.pc)")
[ -d "$libraries" ] || die "no pkg-config files"
PKG_CONFIG_PATH=$libraries PKG_CONFIG_SYSROOT_DIR=
export PKG_CONFIG_PATH PKG_CONFIG_SYSROOT_DIR
flags() { # PACKAGE
  pkg-config --cflags --libs "$1"
}
cat >plain.c <<'C'
#include <stdio.h>

#include "tutti/map.h"
#include "tutti/platform.h"

int main(int argc, char **argv)
{
  static const int members[] = {0, 2, 4, 6, 8};
  tutti_platform platform;
  tutti_error error = {0};
  tutti_map *map = NULL;
  if (argc != 2 || tutti_platform_read(argv[1], &platform, &error) != TUTTI_OK ||
      tutti_map_create(TUTTI_MAP_RANGE, members, 5, 16, NULL, &map, &error) != TUTTI_OK)
    return fprintf(stderr, "%s\n", error.message), 1;
  printf("%d hosts, rank 3 is process %d\n", platform.host_count, tutti_map_select(map, 3));
  tutti_map_free(map);
  tutti_platform_free(&platform);
  return 0;
}
C
# shellcheck disable=SC2046 # words
cc -o plain plain.c $(flags tutti-store) $(flags tutti-maps) || die "plain.c against the installed libraries"
[ "$(./plain "$prefix/share/tutti/platforms/bgp.xml")" = "32768 hosts, rank 3 is process 6" ] || die "plain says $(./plain)"

cat >world.c <<'C'
#include <stdio.h>

#include "tutti/collectives.h"
#include "tutti/communicator.h"

int main(int argc, char **argv)
{
  tutti_view world;
  tutti_method method;
  tutti_error error = {0};
  int value = 1, sum = 0;
  MPI_Init(&argc, &argv);
  if (tutti_view_of(MPI_COMM_WORLD, &world, &error) != TUTTI_OK ||
      tutti_method_parse("allreduce/recursive-doubling", &method, &error) != TUTTI_OK ||
      tutti_allreduce(&method, &value, &sum, 1, MPI_INT, MPI_SUM, &world, &error) != TUTTI_OK)
    return fprintf(stderr, "%s\n", error.message), 1;
  if (world.rank == 0)
    printf("sum %d\n", sum);
  MPI_Finalize();
  return 0;
}
C
for flavor in mpich openmpi; do
  [ -e "$libraries/tutti-$flavor.pc" ] || continue
  # shellcheck disable=SC2046
  mpicc.$flavor -o "world-$flavor" world.c $(flags tutti-$flavor) || die "world.c with $flavor"
  [ $flavor = mpich ] && launch="mpiexec.mpich -n 2" || launch="mpiexec.openmpi --oversubscribe -n 2"
  $launch "./world-$flavor" >out 2>err || die "world-$flavor: $(cat out err)"
  grep -qx 'sum 2' out || die "world-$flavor says $(cat out)"
  [ -e "$prefix/$(cd "$prefix" && find lib* -path "*tutti/$flavor/libtutti_mpi.so")" ] || die "no libtutti_mpi.so of $flavor"
  "$tutti" run --print -- ./world-$flavor >out 2>err && grep -q "^env LD_PRELOAD=.*/lib.*/tutti/$flavor/libtutti_mpi.so ./world-$flavor$" out ||
    die "tutti run does not find the installed interposer of $flavor: $(cat out err)"
done

# In a program of the user's, too, a switch loses throughput, with the globals of each rank apart or not.
if [ -e "$libraries/tutti-smpi.pc" ] && command -v smpirun >/dev/null && grep -q '^TUTTI_SIMGRID_NONLINEAR.*=1' "$build/CMakeCache.txt"; then
  cat >exchange.c <<'C'
#include <stdio.h>

#include "tutti/collectives.h"

static char sent[24 << 14], received[24 << 14];

int main(int argc, char **argv)
{
  tutti_view world;
  tutti_method method;
  tutti_error error = {0};
  MPI_Init(&argc, &argv);
  if (tutti_view_of(MPI_COMM_WORLD, &world, &error) != TUTTI_OK ||
      tutti_method_parse("alltoall/pairwise", &method, &error) != TUTTI_OK)
    return 1;
  double start = MPI_Wtime(); /* before the program's first message */
  if (tutti_alltoall(&method, sent, 1 << 14, MPI_CHAR, received, 1 << 14, MPI_CHAR, &world, &error) != TUTTI_OK)
    return 1;
  if (world.rank == 0)
    printf("%.3f us\n", 1e6 * (MPI_Wtime() - start));
  MPI_Finalize();
  return 0;
}
C
  # shellcheck disable=SC2046
  smpicc -o exchange exchange.c $(flags tutti-smpi) || die "exchange.c with smpi"
  "$tutti" platform hostfile boba_gige --ranks 24 -o hosts
  for run in boba_gige:6784.963 boba_gige_switch:7924.107; do
    for option in -no-privatize ''; do
      # shellcheck disable=SC2086
      smpirun -np 24 -platform "$prefix/share/tutti/platforms/${run%:*}.xml" -hostfile hosts $option ./exchange >out 2>err
      grep -qx "${run#*:} us" out || die "exchange on ${run%:*} $option: $(cat out err)"
    done
  done
fi

# docs/how-to/from-c.md: its program is compiled as it says.
if [ -e "$libraries/tutti-mpich.pc" ]; then
  ln -s "$build" build
  block how-to/from-c.md 'c program.c' >program.c
  block how-to/from-c.md sh >commands
  HOME=$place sh -eu commands >out 2>err && [ -x a.out ] && [ ! -s err ] || die "docs/how-to/from-c.md: $(cat out err)"
fi

# Debian packages.
command -v dpkg-deb >/dev/null || exit 0
(cd "$build" && cpack -G DEB -B "$place/deb") >log 2>&1 || die "cpack: $(cat log)"
for package in tutti libtutti-dev; do
  file=$(find deb -maxdepth 1 -name "${package}_*.deb")
  [ "$(dpkg-deb -f "$file" Package)" = $package ] || die "no package $package: $(ls deb)"
  dpkg-deb -c "$file" >"$package.files" || die "$file cannot be read"
done
grep -q ' \./usr/bin/tutti$' tutti.files || die "no tutti in the package: $(cat tutti.files)"
grep -q ' \./usr/share/man/man1/tutti-bench\.1' tutti.files || die "no man pages in the package"
grep -q '/include/tutti/schedule\.h$' libtutti-dev.files || die "no headers in the package"
grep -q '/include/' tutti.files && die "headers in the wrong package"
dpkg-deb -f deb/tutti_*.deb Depends | grep -q 'libsqlite3' || die "does not say what it needs: $(dpkg-deb -f deb/tutti_*.deb)"
dpkg-deb -f deb/tutti_*.deb Depends | grep -Eiq 'mpi|simgrid' && die "the command needs an MPI: $(dpkg-deb -f deb/tutti_*.deb)"
dpkg-deb -f deb/tutti_*.deb Recommends | grep -q 'tutti-smpi' || die "no flavor is recommended"
dpkg-deb -f deb/tutti_*.deb Maintainer | grep -q '^[^<]* <[^<@]*@[^<@]*>$' || die "no address: $(dpkg-deb -f deb/tutti_*.deb)"
dpkg-deb -f deb/tutti_*.deb Homepage | grep -q '^https://' || die "no homepage: $(dpkg-deb -f deb/tutti_*.deb)"
dpkg-deb -f deb/tutti_*.deb Maintainer | grep -q localhost && die "nobody reads that: $(dpkg-deb -f deb/tutti_*.deb)"
for flavor in smpi mpich openmpi; do
  [ -e "$libraries/tutti-$flavor.pc" ] || continue
  file=$(find deb -maxdepth 1 -name "tutti-${flavor}_*.deb")
  dpkg-deb -c "$file" | grep -q "/tutti/$flavor/tutti-bench$" || die "no tutti-bench for $flavor in $file: $(ls deb)"
  dpkg-deb -f "$file" Depends | grep -Eq '(mpi|simgrid).*tutti \(=|tutti \(=.*(mpi|simgrid)' ||
    die "tutti-$flavor does not say what it needs: $(dpkg-deb -f "$file")"
done

# docs/how-to/gate.md: the packages that its workflow names are enough for its algorithm, and each of them is needed.
block how-to/gate.md yaml | sed -n 's/^ *for name in \(.*\); do curl .*/\1/p' | tr ' ' '\n' | sort >named
[ "$(tr '\n' ' ' <named)" = "libtutti-dev tutti tutti-smpi " ] || die "the workflow fetches $(cat named)"
[ -e "$libraries/tutti-smpi.pc" ] && command -v smpirun >/dev/null || exit 0
unpack() { # PACKAGE
  dpkg-deb -x deb/"$1"_*.deb unpacked || die "$1 cannot be unpacked"
}
unpack tutti
unpack libtutti-dev
tutti=$place/unpacked/usr/bin/tutti
PATH=$place/unpacked/usr/bin:$PATH
run 0 new algorithm mine --collective allreduce
cd mine || die "no folder"
make check >../log 2>&1 || die "make check: $(cat ../log)"
! make baseline >../log 2>&1 || die "measured without tutti-smpi"
grep -q 'no measuring program for flavor smpi: .*: install the package tutti-smpi' ../log || die "$(cat ../log)"
cd .. && unpack tutti-smpi && cd mine || die "no folder"
make baseline gate >../log 2>&1 || die "make gate: $(cat ../log)"
grep -q '^mine.baseline: 3 points, all equal to the baseline$' ../log || die "$(cat ../log)"
