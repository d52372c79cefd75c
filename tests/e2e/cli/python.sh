#!/bin/sh
# python/tutti.py: its unit tests, and docs/how-to/python.md, whose cells run one after the other and print what it shows.
#
# usage: python.sh BUILD_DIR SOURCE_DIR
set -u
. "$2/tests/e2e/begin.sh"
need python3 python3
TUTTI=$tutti PYTHONPATH=$source/python PYTHONDONTWRITEBYTECODE=1
export TUTTI PYTHONPATH PYTHONDONTWRITEBYTECODE
python3 "$source/tests/python/test_tutti.py" >out 2>err || die "the unit tests: $(cat err)"
block how-to/python.md python >cells.py
[ "$(grep -c 'tutti\.' cells.py)" -ge 5 ] || die "the page has lost its cells"
python3 cells.py >out 2>err && [ ! -s err ] || die "the page's cells: $(cat err)"
block how-to/python.md text >text
while IFS= read -r line; do
  grep -qxF -- "$line" out || die "the page shows '$line', but: $(cat out)"
done <text
grep -q "^tutti map: unknown collective 'bcats'" out || die "no sentence: $(cat out)"

# Where it is installed it finds the command of the installation, whatever PATH has.
mkdir -p prefix/bin prefix/share/tutti/python
ln -s "$tutti" prefix/bin/tutti
cp "$source/python/tutti.py" prefix/share/tutti/python/
unset TUTTI
PYTHONPATH=prefix/share/tutti/python python3 -c 'import tutti; print(tutti.binary())' >out 2>err
grep -q '/prefix/bin/tutti$' out || die "finds another command: $(cat out err)"
[ "$(wc -l <"$source/python/tutti.py")" -lt 200 ] || die "tutti.py is longer than 200 lines"
