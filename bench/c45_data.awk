# Cases for bench/c45.sh as ARFF, the same at every run: awk -v set=NAME [-v rows=N] -f c45_data.awk
#
#   rings     two numbers, three classes by distance, one case in ten wrong
#   words     six words of 2 to 7 values, four classes by two of them, noise
#   mixed     numbers and words, one value in eight unknown
#   many      four numbers, 25 classes in squares
#   noise     numbers and classes without any relation
#   integers  small integers with many repeated values
#   sparse    one word of 40 values, one number, few cases
#   skewed    one class has 95 % of the cases
#   parity    classes by the parity of three words: no single word tells anything
#   close     numbers closer to each other than 10^-5, and far apart
#   unknown   half of all values unknown
#   methods   which method of a collective: the rows of --speed
function random(below) # Park and Miller 1988; exact in doubles
{
  seed = (16807 * seed) % 2147483647
  return int(seed / 2147483647 * below)
}

function real(below)
{
  seed = (16807 * seed) % 2147483647
  return sprintf("%.6g", seed / 2147483647 * below) + 0
}

function letter(i)
{
  return substr("abcdefghijklmnopqrstuvwxyz", i + 1, 1)
}

function letters(count,    i, text)
{
  for (i = 0; i < count; i++)
    text = text (i ? "," : "") letter(i)
  return text
}

function number(name) { print "@attribute " name " numeric" }
function word(name, count) { print "@attribute " name " {" letters(count) "}" }
function begin(classes) { word("class", classes); print "@data" }
function noisy(label, classes, percent) { return random(100) < percent ? random(classes) : label }

# One row of ranks, bytes and what follows of them; the best method by rules like those of a broadcast.
function method(    coll, ranks, bytes, nodes, label)
{
  coll = random(4)
  ranks = 2 + random(1023)
  bytes = int(2 ^ (random(20000) / 1000))
  nodes = int((ranks + 7) / 8)
  if (bytes < 512 * (1 + coll)) label = ranks < 16 ? 0 : ranks % 2 ? 1 : 2
  else if (bytes * ranks < 2000000) label = 3 + coll
  else label = bytes > 200000 ? 7 + (ranks > 256) : ranks > nodes * 7 ? 9 : 10 + coll % 2
  power = 1
  while (power < ranks) power *= 2
  return letter(coll) "," ranks "," bytes "," ranks * bytes "," (ranks % 2 ? "b" : "a") "," \
         (power == ranks ? "a" : "b") "," nodes "," sprintf("%.6g", log(ranks) / log(2)) "," \
         sprintf("%.6g", log(bytes + 1) / log(2)) "," letter(noisy(label, 12, 5))
}

BEGIN {
  seed = 1 + length(set) * 7919
  for (i = 1; i <= length(set); i++) seed = (seed * 31 + index("abcdefghijklmnopqrstuvwxyz", substr(set, i, 1))) % 2147483646 + 1
  print "@relation " set
  if (set == "rings") {
    number("x"); number("y"); begin(3)
    for (i = 0; i < 2000; i++) {
      x = real(10) - 5; y = real(10) - 5; d = x * x + y * y
      print x "," y "," letter(noisy(d < 4 ? 0 : d < 12 ? 1 : 2, 3, 10))
    }
  } else if (set == "words") {
    for (a = 0; a < 6; a++) word("w" a, a + 2)
    begin(4)
    for (i = 0; i < 3000; i++) {
      for (a = 0; a < 6; a++) { f[a] = random(a + 2); printf "%s,", letter(f[a]) }
      print letter(noisy((f[3] + 2 * (f[5] > 3)) % 4, 4, 20))
    }
  } else if (set == "mixed") {
    number("x"); word("w", 5); number("y"); word("v", 3); number("z"); begin(4)
    for (i = 0; i < 2500; i++) {
      x = real(100); w = random(5); y = random(30); v = random(3); z = real(1)
      c = x > 40 ? (w < 2 ? 0 : 1) : (y > 12 ? 2 : v)
      f[0] = x; f[1] = letter(w); f[2] = y; f[3] = letter(v); f[4] = z
      for (a = 0; a < 5; a++) printf "%s,", random(8) ? f[a] : "?"
      print letter(noisy(c, 4, 10))
    }
  } else if (set == "many") {
    number("x"); number("y"); number("z"); number("u"); begin(25)
    for (i = 0; i < 5000; i++) {
      x = real(5); y = real(5)
      print x "," y "," real(1) "," random(100) "," letter(noisy(int(x) * 5 + int(y), 25, 5))
    }
  } else if (set == "noise") {
    number("x"); number("y"); word("w", 4); begin(3)
    for (i = 0; i < 1000; i++) print real(1) "," random(20) "," letter(random(4)) "," letter(random(3))
  } else if (set == "integers") {
    number("x"); number("y"); number("z"); begin(2)
    for (i = 0; i < 4000; i++) {
      x = random(12); y = random(12); z = random(6)
      print x "," y "," z "," letter(noisy((x + y > 11) != (z > 3), 2, 8))
    }
  } else if (set == "sparse") {
    for (i = 0; i < 40; i++) all = all (i ? "," : "") "v" i
    print "@attribute w {" all "}"
    number("x"); begin(2)
    for (i = 0; i < 120; i++) {
      w = random(40); x = real(1)
      print "v" w "," x "," letter(noisy(w % 3 == 0 || x > 0.8, 2, 5))
    }
  } else if (set == "skewed") {
    number("x"); number("y"); word("w", 6); begin(3)
    for (i = 0; i < 4000; i++) {
      x = real(1); y = real(1); w = random(6)
      print x "," y "," letter(w) "," letter(x > 0.97 ? 1 : y < 0.02 && w > 2 ? 2 : noisy(0, 3, 2))
    }
  } else if (set == "parity") {
    word("p", 2); word("q", 2); word("r", 2); word("s", 3); begin(2)
    for (i = 0; i < 1200; i++) {
      p = random(2); q = random(2); r = random(2)
      print letter(p) "," letter(q) "," letter(r) "," letter(random(3)) "," letter(noisy((p + q + r) % 2, 2, 5))
    }
  } else if (set == "close") {
    number("x"); number("y"); begin(3)
    for (i = 0; i < 1500; i++) {
      x = 1 + random(200) * 0.000004; y = random(40) * 1000000 + random(3) * 0.000008
      printf "%.9g,%.16g,%s\n", x, y, letter(noisy(x > 1.0004 ? 1 : y > 17000000 ? 2 : 0, 3, 5))
    }
  } else if (set == "unknown") {
    number("x"); number("y"); word("w", 4); word("v", 2); begin(3)
    for (i = 0; i < 1500; i++) {
      f[0] = real(1); f[1] = random(10); w = random(4); v = random(2); f[2] = letter(w); f[3] = letter(v)
      c = f[0] > 0.5 ? (w > 1) : 1 + (f[1] > 4)
      for (a = 0; a < 4; a++) printf "%s,", random(2) ? f[a] : "?"
      print letter(noisy(c, 3, 5))
    }
  } else if (set == "methods") {
    word("collective", 4); number("ranks"); number("bytes"); number("total"); word("even", 2); word("pow2", 2)
    number("nodes"); number("log_ranks"); number("log_bytes"); begin(12)
    for (i = 0; i < (rows ? rows : 5000); i++) print method()
  }
}
