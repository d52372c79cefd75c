# Sourced after begin.sh by tests of a page that is followed from its first block to its last.

# run_page PAGE.md MIN_SH: its blocks in order. What `sh` prints goes to the files printed and complaints; `text` is what one of
# them has, line by line; a block whose second word is a file is that file. `sh status N` ends with N, `sh setup` is not run,
# `sh FLAVOR` only if that library is built.
run_page() {
  awk '
    /^```/ {
      if (inside) { inside = 0; close(file); next }
      file = sprintf("%02d", ++blocks)
      print substr($0, 4) > (file ".info")
      close(file ".info")
      file = file ".block"
      printf "" > file
      inside = 1
      next
    }
    inside { print > file }' "$source/docs/$1"
  [ "$(cat [0-9][0-9].info | grep -c '^sh')" -ge "$2" ] || die "$1 has lost its blocks"
  for info in [0-9][0-9].info; do
    read -r kind rest <"$info"
    run_kind "${info%.info}.block"
  done
}

run_kind() { # BLOCK, of $kind and $rest
  case $kind-$rest in
  sh-setup) ;;
  sh-) run_block "$1" 0 ;;
  sh-status\ *) run_block "$1" "${rest#status }" ;;
  sh-mpich | sh-openmpi) [ ! -x "$build/$rest/tutti-bench" ] || run_block "$1" 0 ;;
  text-)
    cat printed complaints | sed 's/^  *//' >lines
    sed 's/^  *//' "$1" | while IFS= read -r line; do
      grep -qxF -e "$line" lines || die "the page shows '$line', which was not printed: $(cat printed complaints)"
    done || exit 1
    ;;
  c-?* | xml-?*) mkdir -p "$(dirname "$rest")" && cp "$1" "$rest" ;;
  *) die "$1: which kind of block is '$kind $rest'?" ;;
  esac
}

run_block() { # BLOCK STATUS
  sh -eu "$1" >>printed 2>>complaints
  code=$?
  [ $code -eq "$2" ] || die "$(cat "$1"): status $code instead of $2: $(tail -n 20 printed complaints)"
}
