#!/bin/sh
# The LogGP platforms keep L, o, g and G: a message takes o + L + o + (m - 1) G, the next one follows after
# max(o, g + (m - 1) G), first come, first served, and their links are those that scripts/loggp_link.awk computes. So
# do those whose hosts cost at both ends, for eager messages; a rendezvous takes 2 (L + o) more.
#
# usage: loggp.sh BUILD_DIR SOURCE_DIR
set -u
. "$2/tests/e2e/begin.sh"
need smpirun simgrid
group=8
exact="0 1 2 8 64 1KB 8KB 64KB 1MB"
between="99 333 1000 1500 3246 5621 10000 30000 100000 3000000"

model() { # PROGRAM FILE: awk with the parameters of this platform, in microseconds
  awk -v L="$L" -v o="$o" -v g="$g" -v G="$G" -v eager="$eager" -v ranks=$group '
    BEGIN { if (eager && g > L) g = L - 0.02 }
    function off(time, want) { return time > want ? time / want - 1 : want / time - 1 }
    function wire(bytes) { return bytes + 16 > (g / G + bytes - 1) ? (bytes + 16) * G : g + (bytes - 1) * G }
    function message(bytes) { return L + 2 * o + (bytes - 1) * G + (eager && bytes + 0 >= eager ? 2 * (L + o) : 0) }
    '"$1" "$2"
}

check_link() { # the file has what the script says
  awk -v L="$L" -v o="$o" -v g="$g" -v G="$G" -v eager="$eager" -f "$source/scripts/loggp_link.awk" >link ||
    die "no link for $platform"
  [ "$(wc -l <link)" -eq $((eager ? 4 : 3)) ] || die "the link of $platform is $(cut -c 1-80 link)"
  sed -i '$s/.*/"smpi\/bw-factor" value="&"/' link
  [ "$eager" -eq 0 ] || sed -i '3s/.*/"smpi\/lat-factor" value="&"/' link
  while read -r part; do
    grep -qF -- "$part" "$source/platforms/$platform.xml" || die "$platform lacks $(echo "$part" | cut -c 1-80)"
  done <link
}

check_published() { # PARAMETER VALUE: in microseconds here, in seconds there
  sed -n "s/.*tutti\/published-$1\" value=\"\([^\"]*\)\".*/\1/p" "$source/platforms/$platform.xml" |
    awk -v value="$2" '{ same = $1 * 1e6 / value } END { exit !(NR == 1 && same > 1 - 1e-12 && same < 1 + 1e-12) }' ||
    die "$platform does not say that $1 is $2 us"
}

check_messages() { # TOLERANCE SIZES
  simulate "$platform" 2 "$build/smpi/tutti-pingpong" $2 >out
  model '/^tutti-pingpong v=1 / {
      count++
      bytes = substr($3, 7)
      if (off(substr($4, 8) * 1e6, message(bytes)) > '"$1"') print bytes " B take " $4 ", not " message(bytes) " us"
    }
    END { if (count != '"$(echo "$2" | wc -w)"') print count " sizes" }' out >wrong
  [ ! -s wrong ] || die "$platform: $(cat wrong)"
}

measure() { # METHODS SIZES
  simulate "$platform" $group "$build/smpi/tutti-bench" --scheme window --method "$1" --size "$2" >out
}

check_gap() { # a sender of many messages, and the receiver of many; its own block is copied within o
  measure bcast/linear,gather/linear 1,256
  model '/^tutti-measurement / {
      count++
      for (i = 1; i <= NF; i++) {
        split($i, pair, "=")
        value[pair[1]] = pair[2]
      }
      gap = wire(value["count"])
      if ((value["method"] == "bcast/linear" || eager) && gap < o)
        gap = o
      want = message(value["count"]) + (ranks - 2) * gap
      if (off(value["median_s"] * 1e6, want) > 1e-6) print $0 ": not " want " us"
    }
    END { if (count != 4) print count " measurements" }' out >wrong
  [ ! -s wrong ] || die "$platform: $(cat wrong)"
}

check_pipeline() { # links are first come, first served: else segments overtake and hold each other up
  measure bcast/pipeline/1KB 8KB
  model '/^tutti-measurement .* count=8192 / {
      count++
      time = $0
      sub(/.* median_s=/, "", time)
      gap = wire(1024) # or the two ends of a message in the middle
      if (eager && gap < 2 * o)
        gap = 2 * o
      want = (ranks - 1) * message(1024) + 7 * gap
      if (off(time * 1e6, want) > 1e-6) print $0 ": not " want " us"
    }
    END { if (count != 1) print count " measurements" }' out >wrong
  [ ! -s wrong ] || die "$platform: $(cat wrong)"
}

# Table 4.13 of Pjesivac-Grbovic 2007.
count=0
while read -r platform L o g G eager; do
  check_link
  case $platform in
    *_senders) ;; # the gap is told to the script as an overhead
    *) check_published L "$L" && check_published o "$o" && check_published g "$g" && check_published G "$G" ;;
  esac
  check_messages 1e-6 "$exact"
  check_messages 1e-3 "$between"
  check_gap
  check_pipeline
  count=$((count + 1))
done <<'END'
grig_mx_loggp              2.1     1.6   2.3    0.0044  0
grig_fast_ethernet_loggp   106.6   19.5  1      0.0859  0
boba_gige_loggp            30.40   8.15  8.683  0.0150  0
frodo_mx_loggp             1.8     1.3   1.6    0.0044  0
frodo_fast_ethernet_loggp  61.22   8.2   23.8   0.0840  0
grig_mx_hosts              2.1     1.6   2.3    0.0044  32768
grig_fast_ethernet_hosts   106.6   19.5  1      0.0859  65536
boba_gige_hosts            30.40   8.15  8.683  0.0150  65536
frodo_mx_hosts             1.8     1.3   1.6    0.0044  32768
frodo_fast_ethernet_hosts  61.22   8.2   23.8   0.0840  65536
boba_gige_senders            29.334  8.683  0     0.0150  0
frodo_fast_ethernet_senders  30.02   23.8   0     0.0840  0
END
# Its cards take a message in or out for o + beta m, its senders g; 4096 B and more go there and back before, alpha - o each.
platform=grig_mx_ob1 L=1.0442 o=2.3 g=1.6042 G=0.0042 eager=0
check_link
simulate "$platform" 2 "$build/smpi/tutti-pingpong" 0 1 1000 1KB 4095 4096 64KB 1MB >out
awk '/^tutti-pingpong v=1 / {
    bytes = substr($3, 7)
    want = 5.64 + 0.0042 * bytes + (bytes + 0 >= 4096 ? 2 * (5.64 - 1.6) : 0)
    off = substr($4, 8) * 1e6 / want - 1
    if (off < -1e-3 || off > 1e-3) print bytes " B take " $4 ", not " want " us"
    count++
  }
  END { if (count != 8) print count " sizes" }' out >wrong
[ ! -s wrong ] || die "$platform: $(cat wrong)"
measure barrier/linear,barrier/bruck 0 # in and out o and g a process; an exchange waits for the card once more
awk -v ranks=$group '/^tutti-measurement / {
    for (i = 1; i <= NF; i++) { split($i, pair, "="); value[pair[1]] = pair[2] }
    want = value["method"] ~ /linear/ ? 2 * 5.64 + (ranks - 2) * 3.9 : 3 * (5.64 + 1.6)
    off = value["median_s"] * 1e6 / want - 1
    if (off < -1e-3 || off > 1e-3) print $0 ": not " want " us"
    count++
  }
  END { if (count != 2) print count " barriers" }' out >wrong
[ ! -s wrong ] || die "$platform: $(cat wrong)"

[ $count -eq "$(ls "$source"/platforms/*_loggp.xml "$source"/platforms/*_hosts.xml \
  "$source"/platforms/*_senders.xml | wc -l)" ] || die "$count platforms are not all"
echo "$count platforms keep L, o, g and G"
