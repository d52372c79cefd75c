# Latency, bandwidth and bandwidth factors that make a SimGrid cluster keep L, o, g and G (platforms/README.md).
#
# usage: awk -v L=30.4 -v o=8.15 -v g=8.683 -v G=0.0150 -f loggp_link.awk        microseconds, and microseconds a byte
#
# A message of m bytes shall occupy a link for g + (m - 1) G, but SimGrid knows no time per message: only a bandwidth
# 1 / G that is multiplied, by size, with a factor. So the factor is a staircase. A step has the right time for one size,
# and within 0.1 % of o + L + o + (m - 1) G for the others. Powers of two are among the right ones.

function occupied(bytes) { return g + (bytes - 1) * G }

function factor(bytes) { return (bytes + ENVELOPE) * G / occupied(bytes) }

# Sizes that one step may cover around this one.
function width(bytes,    time, slope) {
  time = L + 2 * o + (bytes - 1) * G
  slope = (g - (ENVELOPE + 1) * G) / (bytes + ENVELOPE) # microseconds gone wrong for each byte away from the right one
  slope = slope < 0 ? -slope : slope
  return 2 * TOLERANCE * time / slope
}

function minimum(left, right) { return left < right ? left : right }

BEGIN {
  ENVELOPE = 16 # bytes, of SMPI
  TOLERANCE = 0.001
  LARGEST = 2 ^ 30
  if (L + o < g) {
    print "loggp_link.awk: L + o is less than g" >"/dev/stderr"
    exit 1
  }
  printf "lat=\"%.8gus\" bw=\"%.12gBps\"\n", (L + o - g) / 2, 1e6 / G
  printf "0:%.8g", factor(0)
  power = 1
  for (bytes = 0; bytes < LARGEST; bytes = following) {
    following = minimum(int(bytes + 1 > bytes + width(bytes) ? bytes + 1 : bytes + width(bytes)), power)
    if (following == power)
      power *= 2
    # "Above": the factor applies to sizes with envelope that are greater.
    printf ";%d:%.8g", int((bytes + following) / 2) + ENVELOPE, factor(following)
  }
  printf "\n"
}
