#!/bin/sh
# Includes run down the list of rooms (src/CMakeLists.txt) only: src/ROOM/ and the public headers of a room, which name
# its last part by "@ingroup NAME", include what belongs to the room itself or to one before it. Of another wing, the
# first part of ROOM, they include public headers, headers of base, and what src/WING/wing.h includes. At most so many
# pairs of wings and of rooms know each other, base aside, which all know.
#
# usage: rooms.sh SOURCE_DIR ROOM...
set -eu
cd "$1"
shift
grep -nE '^[[:space:]]*#[[:space:]]*include[[:space:]]+"|^ \* @ingroup ' \
  $(find src include -name '*.[ch]' -o -name '*.def' -o -name '*.cpp') /dev/null |
  awk -v rooms="$*" -v most_wings=11 -v most_rooms=60 '
  function fail(what) { print "rooms: " what; failed = 1 }
  function room_of(path, at) {
    if (path ~ /^tutti\//)
      return path in room ? room[path] : fail("no header " path " names its room")
    for (at = path; sub(/\/[^\/]*$/, "", at);)
      if (at in order)
        return at
  }
  function wing_of(room) { return substr(room "/", 1, index(room "/", "/") - 1) }
  BEGIN {
    count = split(rooms, list, " ")
    for (i = 1; i <= count; i++) {
      order[list[i]] = i
      name = list[i]
      sub(/^.*\//, "", name)
      place[name] = list[i]
    }
  }
  {
    colon = index($0, ":")
    file = substr($0, 1, colon - 1)
    sub(/^(src|include)\//, "", file)
    line = substr($0, colon + 1)
    text = substr(line, index(line, ":") + 1)
    if (text ~ /@ingroup/) {
      sub(/^ \* @ingroup /, "", text)
      if (!(text in place))
        fail(file " is in the unknown room " text)
      room[file] = place[text]
    } else {
      split(text, part, "\"")
      if (file ~ /^[a-z]+\/wing\.h$/)
        open[part[2]] = 1
      else {
        from[++includes] = file
        to[includes] = part[2]
        at[includes] = line + 0
      }
    }
  }
  END {
    for (i = 1; i <= includes; i++) {
      lower = room_of(to[i])
      upper = room_of(from[i])
      if (!lower || !upper) {
        fail(from[i] ":" at[i] ": " to[i] " is in no room")
        continue
      }
      if (order[lower] > order[upper])
        fail(from[i] ":" at[i] ": " to[i] " is above")
      below = wing_of(lower)
      above = wing_of(upper)
      if (below == "base" || lower == upper)
        continue
      if (below != above && to[i] !~ /^tutti\// && !(to[i] in open))
        fail(from[i] ":" at[i] ": " to[i] " is private to the wing " below)
      used[to[i], below != above] = 1
      room_arrows += !((lower, upper) in rooms_seen)
      rooms_seen[lower, upper] = 1
      if (below != above) {
        wing_arrows += !((below, above) in wings_seen)
        wings_seen[below, above] = 1
      }
    }
    for (header in open)
      if (!((header, 1) in used))
        fail(header " is in a wing.h, and no other wing includes it")
    if (wing_arrows > most_wings || room_arrows > most_rooms)
      fail(wing_arrows " arrows between wings and " room_arrows " between rooms, not " most_wings " and " most_rooms)
    if (includes < 1000)
      fail("only " includes " includes found")
    if (!failed)
      print includes " includes, none of which runs up; " wing_arrows " arrows between wings, " room_arrows " between rooms"
    exit failed
  }'
