# Decision map: message size (logarithmic) and communicator size, a colour for each best method.
# gnuplot -d -c decision_map.gp DATA OUTPUT TERMINAL TITLE COLOURS SIZE_TICS RANK_TICS RANK_SCALE POINTS
# DATA: a block a method, apart by two empty lines; its first line is the entry of the legend, then x0 x1 y0 y1 method.
# Then the points that were measured, a block of those that no other method ties with and one of the rest: x y letters ink.
# COLOURS: 0xRRGGBB of each block. SIZE_TICS, RANK_TICS: ("label" position, ...). RANK_SCALE: linear or logarithmic.
# With dots a block of labels for the classes: x y letters ink.
# POINTS: letters or dots, how many points the two blocks have, and how many labels there are.
blocks = words(ARG5)
width = 1000
height = blocks > 22 ? 130 + 21 * blocks : 580

if (ARG3 eq "svg") {
  set terminal svg size width, height noenhanced font "Helvetica,Arial,sans-serif,13" background rgb "white"
} else { if (ARG3 eq "pngcairo") {
  set terminal pngcairo size 2 * width, 2 * height noenhanced fontscale 2 linewidth 2 font "Sans,10" background rgb "white"
} else {
  set terminal pdfcairo size width / 100.0, height / 100.0 noenhanced font "Sans,11" background rgb "white"
} }
set output ARG2

set title ARG4
set xlabel "Message size (per rank)"
set ylabel "Communicator size (ranks)"
set logscale x
if (ARG8 eq "logarithmic") { set logscale y }
eval "set xtics out nomirror " . ARG6
eval "set ytics out nomirror " . ARG7
set autoscale xfix
set autoscale yfix
set border 15 front linecolor rgb "#404040"
set key outside right top Left reverse samplen 1.5 spacing 1.15 width 1

colour(i) = int(word(ARG5, i + 1))
letters = word(ARG9, 1) eq "letters"
points(tied) = int(word(ARG9, 2 + tied))
block(tied) = blocks + (tied && points(0) > 0) # there is none without points
first = points(0) > 0 ? 0 : 1
last = points(1) > 0 ? 1 : 0
labels = !letters && int(word(ARG9, 4)) > 0
label_block = blocks + (points(0) > 0) + (points(1) > 0)
mark(tied) = tied ? 6 : 7
size(tied) = (ARG3 eq "svg" ? 0.35 : 0.5) * (tied ? 1.6 : 1)
name(tied) = (letters ? "=  " : "") . (tied ? "measured, another method ties" : "measured")
# What there is none of is no part of the plot: gnuplot reads the data of a loop that never runs, and warns.
all = 'plot for [i = 0 : blocks - 1] ARG1 index i using 1:3:1:2:3:4 with boxxyerror fillcolor rgb colour(i) ' \
    . 'fillstyle solid 1.0 border rgb colour(i) linewidth 0.5 title columnheader(1)'
keys = ""
do for [t = first : last] {
  if (letters) {
    all = all . sprintf(', ARG1 index %d using 1:2:3:4 with labels textcolor rgb variable notitle', block(t))
    if (t) { keys = keys . ', keyentry with points pointtype 7 pointsize 0 linecolor rgb "#000000" title name(1)' }
  } else {
    all = all . sprintf(', ARG1 index %d using 1:2:4 with points pointtype mark(%d) pointsize size(%d) linecolor rgb ' \
        . 'variable notitle', block(t), t, t)
    keys = keys . sprintf(', keyentry with points pointtype mark(%d) pointsize size(%d) linecolor rgb "#000000" ' \
        . 'title name(%d)', t, t, t)
  }
}
if (labels) {
  all = all . ', ARG1 index label_block using 1:2:3:4 with labels font ",14" textcolor rgb variable notitle'
}
eval all . keys
# The border of the rectangles closes seams between them.
set output
