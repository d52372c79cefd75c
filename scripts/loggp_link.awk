# Latency, bandwidth and bandwidth factors with which a flat SimGrid cluster keeps L, o, g and G (platforms/README.md).
#
# usage: awk -v L=30.40 -v o=8.15 -v g=8.683 -v G=0.0150 [-v eager=65536] -f loggp_link.awk
#        microseconds, and microseconds a byte; bytes below which messages are eager
#
# A message of m bytes shall occupy a link for g + (m - 1) G, but SimGrid knows no time per message: only a bandwidth,
# here 1 / G, times a factor that depends on the size. So the factors are a staircase. A step gives exactly
# o + L + o + (m - 1) G for one size, a power of two if there is one in it, and is within 0.1 % of it for all others.
# If g is less than the time of SMPI's envelope, which nothing can undo, all factors are 1 and all times exact.
#
# Without eager messages the latency has the o of the receiver, which SMPI does not charge. With them smpi/or has it, for
# eager messages; others take the way there and back before, and then the o of the receiver, as a multiple of the
# latency. Where L is less than g no latency is left: then the gap is as much shorter.

function occupied(bytes) { return g + (bytes - 1) * G }

function factor(bytes) { return (bytes + ENVELOPE) * G / occupied(bytes) }

# How many bytes from one size to the next that has a step of its own.
function distance(bytes,    time, slope) {
  time = L + 2 * o + (bytes - 1) * G
  slope = (g - (ENVELOPE + 1) * G) / (bytes + ENVELOPE) # error of the step, microseconds a byte
  return int(2 * TOLERANCE * time / slope)
}

function next_step(bytes, power,    next_bytes) {
  next_bytes = bytes + distance(bytes)
  if (next_bytes == bytes)
    next_bytes++
  return next_bytes < power ? next_bytes : power
}

BEGIN {
  ENVELOPE = 16 # bytes, of SMPI
  TOLERANCE = 0.001
  LARGEST = 2 ^ 30 # bytes
  LEAST = 0.02 # us of latency that are left
  if (eager && g > L - LEAST)
    g = L - LEAST
  if (L + o < g) {
    print "loggp_link.awk: no latency is left: L + o is less than g" >"/dev/stderr"
    exit 1
  }
  only_envelope = g <= (ENVELOPE + 1) * G
  left = L + (eager ? 0 : o) - (only_envelope ? (ENVELOPE + 1) * G : g)
  printf "lat=\"%.10gus\"\nbw=\"%.12gBps\"\n", left / 2, 1e6 / G
  if (eager)
    printf "0:1;%d:%.10g\n", eager + ENVELOPE - 1, (left + 2 * (L + o) + o) / left
  printf "0:%.8g", only_envelope ? 1 : factor(0)
  power = 1
  for (bytes = 0; !only_envelope && bytes < LARGEST; bytes = after) {
    after = next_step(bytes, power)
    if (after == power)
      power *= 2
    # SMPI takes a factor for sizes, with envelope, above its threshold.
    printf ";%d:%.8g", int((bytes + after) / 2) + ENVELOPE, factor(after)
  }
  printf "\n"
}
