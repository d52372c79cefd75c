# Decision map: message size (logarithmic) and communicator size, a colour for each best method.
# gnuplot -d -c decision_map.gp DATA OUTPUT TERMINAL TITLE COLOURS SIZE_TICS RANK_TICS RANK_SCALE
# DATA: a block a method, apart by two empty lines; its first line is the entry of the legend, then x0 x1 y0 y1 method.
# COLOURS: 0xRRGGBB of each block. SIZE_TICS, RANK_TICS: ("label" position, ...). RANK_SCALE: linear or logarithmic.
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
plot for [i = 0 : blocks - 1] ARG1 index i using 1:3:1:2:3:4 with boxxyerror fillcolor rgb colour(i) \
  fillstyle solid 1.0 border rgb colour(i) linewidth 0.5 title columnheader(1) # the border closes seams between cells
set output
