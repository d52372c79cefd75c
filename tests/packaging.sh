#!/bin/sh
# packaging/: the recipes have the version of CMakeLists.txt and need what packages.def (scripts/setup.sh) and CMake do; their
# Python and YAML are read; the Dockerfile copies what is there, and installs packages that cpack makes.
#
# usage: packaging.sh SOURCE_DIR
set -u
cd "$1" || exit 2
die() {
  echo "packaging.sh: $*" >&2
  exit 1
}
spack=packaging/spack/package.py conda=packaging/conda/meta.yaml docker=packaging/Dockerfile

version=$(sed -n 's/^project(tutti VERSION \([0-9.]*\) .*/\1/p' CMakeLists.txt)
[ -n "$version" ] || die "no version in CMakeLists.txt"
grep -qx "    version(\"$version\")" $spack || die "$spack is not of version $version"
grep -qx "  version: \"$version\"" $conda || die "$conda is not of version $version"
grep -qx "__version__ = \"$version\"" python/tutti.py || die "python/tutti.py is not of version $version"
least=$(sed -n 's/^cmake_minimum_required(VERSION \([0-9.]*\))/\1/p' CMakeLists.txt)
grep -q "\"cmake@$least:\"" $spack && grep -q -- "- cmake >=$least\$" $conda || die "not CMake $least"

# The libraries of Debian's list by the names of the others; no recipe has more, or less.
cat >"${TMPDIR:-/tmp}/packaging.$$" <<'LIST'
libsimgrid-dev simgrid simgrid
libsqlite3-dev sqlite sqlite
libxml2-dev libxml2 libxml2
libyaml-dev libyaml yaml
nettle-dev nettle nettle
libbdd-dev buddy -
libroaring-dev croaring croaring
libbz2-dev bzip2 bzip2
libarchive-dev libarchive libarchive
LIST
list=$(cat "${TMPDIR:-/tmp}/packaging.$$")
rm "${TMPDIR:-/tmp}/packaging.$$"
needed=$(sed -n 's/^PACKAGES("demo", \(SIMGRID\|LIBRARIES\), "\(.*\)")$/\2/p' src/harness/experiments/launch/packages.def | tr ' ' '\n' | sort)
[ "$needed" = "$(echo "$list" | sed 's/ .*//' | sort)" ] || die "Debian's packages are: $needed"
for name in $(echo "$list" | sed 's/^[^ ]* //; s/ .*//'); do
  grep -q "^    depends_on(\"$name[\"@+]" $spack || die "$spack does not need $name"
done
for name in $(echo "$list" | sed 's/.* //; /^-$/d'); do
  sed -n '/^  host:/,/^  run:/p' $conda | grep -qE "^    - $name( |\$)" || die "$conda does not need $name"
done
grep -q BUDDY_PREFIX $conda && grep -q BUDDY_PREFIX packaging/conda/build.sh || die "conda: where is BuDDy?"
[ "$(sed -n '/^  host:/,/^  run:/p' $conda | grep -c '^    - ')" -eq 8 ] || die "$conda needs more than $list"
[ "$(grep -c '^    depends_on(' $spack)" -eq 17 ] || die "$spack needs more than tools, MPI, gnuplot, and $list"
for option in $(grep -oh 'TUTTI_[A-Z_]*' $spack packaging/conda/build.sh $docker | sort -u); do
  grep -rqE "(set|option)\($option " CMakeLists.txt cmake || die "there is no option $option of cmake"
done

# Read by what is there: Python, and what the machine has of linters.
if command -v python3 >/dev/null; then
  for file in $spack python/tutti.py; do
    python3 -c 'import ast, sys; ast.parse(open(sys.argv[1]).read())' $file || die "$file is no Python"
  done
fi
! command -v flake8 >/dev/null || flake8 --max-line-length 130 --extend-ignore F403,F405 $spack python tests/python || die "flake8"
! command -v yamllint >/dev/null || sed 's/{{[^}]*}}/x/' $conda |
  yamllint -d '{extends: default, rules: {line-length: {max: 130}, document-start: disable, comments: disable}}' - ||
  die "$conda: yamllint"
sh -n packaging/conda/build.sh || die "build.sh"

# The Dockerfile: its packages are made by cpack, its script is there, and its compilers are those of the workflow of a gate.
[ "$(grep -c '^FROM debian:12' $docker)" -eq 2 ] || die "$docker: on another system than the packages"
[ -e scripts/setup.sh ] && grep -q '^RUN sh scripts/setup.sh demo$' $docker && grep -q 'cpack -G DEB -B /packages$' $docker || die "$docker does not build packages"
awk '!/^(#|FROM |COPY |WORKDIR |RUN |ENTRYPOINT |  |$)/ { print; bad = 1 } END { exit bad }' $docker || die "$docker: other lines"
echo "recipes of version $version need what Debian's list has"
