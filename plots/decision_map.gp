# Decision map: message size (logarithmic) and communicator size, a colour for each best method.
# gnuplot -d -c decision_map.gp DATA OUTPUT TERMINAL TITLE AREAS X_AXIS Y_AXIS POINTS NOTES
# DATA: a block a method, apart by two empty lines; its first line is the entry of the legend, then x0 x1 y0 y1 method.
# Then the points that were measured, a block of those that no other method ties with and one of the rest: x y letters ink.
# With dots a block of labels for the classes: x y letters ink.
# AREAS: 0xRRGGBB and gnuplot's pattern of each block. X_AXIS, Y_AXIS: gnuplot's commands for scale and tics.
# POINTS: letters or dots, how many points the two blocks have, how many labels there are, and how many letters the
# longest entry of the legend has. NOTES: "text" ..., entries of the legend that explain what is written at the points.
here = ARG0[1:strlen(ARG0) - strlen("decision_map.gp")]
load here . "palette.gp"
narrow = ARG3 eq "pdfcairo" # the legend is below
blocks = words(ARG5) / 2
notes = words(ARG9)
letters = word(ARG8, 1) eq "letters"
points(tied) = int(word(ARG8, 2 + tied))
entries = blocks + notes + (points(1) > 0) + (!letters && points(0) > 0)
across = 430 / (7 * int(word(ARG8, 5)) + 28)
across = across < 1 ? 1 : across > entries ? entries : across
lines = (entries + across - 1) / across
width = narrow ? 442 : 1000
title_width = narrow ? 370 : 640
heading = 22 + 18 * (1 + 7 * strlen(ARG4) / title_width)
height = narrow ? 345 + heading + 17 * lines : entries > 20 ? 118 + 22.5 * entries : 580
call here . "terminal.gp" ARG2 ARG3 ARG4

set title title
set xlabel "Message, or block of a rank [bytes]"
set ylabel "Communicator size [ranks]"
eval "set xtics out nomirror; set ytics out nomirror; " . ARG6 . "; " . ARG7
set autoscale xfix
set autoscale yfix
set border 15 front linecolor rgb BORDER
if (narrow) {
  set lmargin at screen 58.0 / width
  set rmargin at screen 1 - 14.0 / width
  set tmargin at screen 1 - real(heading) / height
  set bmargin at screen (74.0 + 17 * lines) / height
  set key at screen 8.0 / width, (14.0 + 17 * lines) / height left top Left reverse samplen 1.2 spacing 1.05 maxrows lines
} else {
  set key outside right top Left reverse samplen 1.5 spacing 1.15 width 1 maxcols 1
}

colour(i) = int(word(ARG5, 2 * i + 1))
fill(i) = int(word(ARG5, 2 * i + 2))
block(tied) = blocks + (tied && points(0) > 0) # there is none without points
first = points(0) > 0 ? 0 : 1
last = points(1) > 0 ? 1 : 0
labels = !letters && int(word(ARG8, 4)) > 0
label_block = blocks + (points(0) > 0) + (points(1) > 0)
mark(tied) = tied ? 6 : 7
size(tied) = (ARG3 eq "svg" ? 0.35 : 0.5) * (tied ? 1.6 : 1)
name(tied) = (letters ? "=  " : "") . (tied ? "measured, another method ties" : "measured")
# What there is none of is no part of the plot: gnuplot reads the data of a loop that never runs, and warns.
all = ""
do for [i = 0 : blocks - 1] {
  all = all . (i == 0 ? "plot " : ", ") . sprintf('ARG1 index %d using 1:3:1:2:3:4 with boxxyerror fillcolor rgb colour(%d) ', i, i) \
      . (fill(i) == 3 ? 'fillstyle solid 1.0' : sprintf('fillstyle pattern %d', fill(i))) \
      . sprintf(' border rgb colour(%d) linewidth 0.5 title columnheader(1)', i)
}
keys = ""
do for [t = first : last] {
  if (letters) {
    all = all . sprintf(', ARG1 index %d using 1:2:3:4 with labels textcolor rgb variable notitle', block(t))
    if (t) { keys = keys . ', keyentry with lines linecolor rgb "white" title name(1)' }
  } else {
    all = all . sprintf(', ARG1 index %d using 1:2:4 with points pointtype mark(%d) pointsize size(%d) linecolor rgb ' \
        . 'variable notitle', block(t), t, t)
    keys = keys . sprintf(', keyentry with points pointtype mark(%d) pointsize size(%d) linecolor rgb BLACK ' \
        . 'title name(%d)', t, t, t)
  }
}
if (labels) {
  all = all . ', ARG1 index label_block using 1:2:3:4 with labels font ",14" textcolor rgb variable notitle'
}
do for [i = 1 : notes] {
  keys = keys . sprintf(', keyentry with lines linecolor rgb "white" title word(ARG9, %d)', i)
}
eval all . keys
# The border of the rectangles closes seams between them.
set output
