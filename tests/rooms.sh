#!/bin/sh
# Includes run down the list of rooms (src/CMakeLists.txt) only: src/ROOM/ and the public headers of a room, which name
# it by "@ingroup ROOM", include what belongs to the room itself or to one before it.
#
# usage: rooms.sh SOURCE_DIR ROOM...
set -eu
cd "$1"
shift
grep -nE '^[[:space:]]*#[[:space:]]*include[[:space:]]+"|^ \* @ingroup ' $(find src include -name '*.[ch]' -o -name '*.def') /dev/null |
  awk -v rooms="$*" '
  function fail(what) { print "rooms: " what; failed = 1 }
  function rank_of(path) {
    if (path ~ /^tutti\//)
      return path in room ? order[room[path]] : fail("no header " path " names its room")
    return order[substr(path, 1, index(path, "/") - 1)]
  }
  BEGIN {
    count = split(rooms, list, " ")
    for (i = 1; i <= count; i++)
      order[list[i]] = i
  }
  {
    colon = index($0, ":")
    file = substr($0, 1, colon - 1)
    sub(/^(src|include)\//, "", file)
    line = substr($0, colon + 1)
    text = substr(line, index(line, ":") + 1)
    if (text ~ /@ingroup/) {
      sub(/^ \* @ingroup /, "", text)
      room[file] = text
      if (!(text in order))
        fail(file " is in the unknown room " text)
    } else {
      split(text, part, "\"")
      from[++includes] = file
      to[includes] = part[2]
      at[includes] = line + 0
    }
  }
  END {
    for (i = 1; i <= includes; i++) {
      lower = rank_of(to[i])
      upper = rank_of(from[i])
      if (!lower || !upper)
        fail(from[i] ":" at[i] ": " to[i] " is in no room")
      else if (lower > upper)
        fail(from[i] ":" at[i] ": " to[i] " is above")
    }
    if (includes < 1000)
      fail("only " includes " includes found")
    if (!failed)
      print includes " includes, none of which runs up"
    exit failed
  }'
