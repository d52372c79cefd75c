# Curves, in one panel or several: methods over the message size, builders of groups over the number of processes.
# gnuplot -d -c curves.gp DATA OUTPUT TERMINAL TITLE X_AXIS Y_AXIS PANELS CURVES [BARS]
# DATA: for each panel a block a curve, apart by two empty lines, of lines x y (NaN: a gap in the curve), with BARS
# "bars" x y low high.
# X_AXIS, Y_AXIS: gnuplot's commands for range and tics, and for x_label and y_label.
# PANELS: "title" ..., of which a single one is not shown.
# CURVES: name style ...; a style, from 0 on, is a colour with a mark.
set encoding utf8
here = ARG0[1:strlen(ARG0) - strlen("curves.gp")]
load here . "palette.gp"
panels = words(ARG7)
curves = words(ARG8) / 2
name(i) = word(ARG8, 2 * i + 1)
style(i) = int(word(ARG8, 2 * i + 2))
bars = ARGC < 9 ? 0 : ARG9 eq "bars"
# What there is none of is no part of the plot: gnuplot reads the data of a loop that never runs, and warns.
bar_plots = bars ? 'for [i = 0 : curves - 1] ARG1 index panel * curves + i using 1:3:(0):($4 - $3) with vectors heads ' \
                 . 'size screen 0.005, 90 linewidth 1 linecolor rgb colour(style(i)) notitle, ' : ''

# Marks are hollow where curves of one family would hide each other; they tell curves apart in grey, and a color's second
# curve from its first.
marks = "7 8 9 4 6 12 3 1"
sizes = "0.9 1.2 1.2 1.3 0.9 1.1 0.9 0.9"
colour(i) = line_colour(i)
mark(i) = int(word(marks, i % words(marks) + 1))
size(i) = real(word(sizes, i % words(sizes) + 1)) * (ARG3 eq "svg" ? 0.75 : 1) # whose marks are larger

longest = 0
do for [i = 0 : curves - 1] { if (strlen(name(i)) > longest) { longest = strlen(name(i)) } }

narrow = ARG3 eq "pdfcairo" # panels below each other, then the legend
key_columns = 430 / (7 * longest + 60) < 1 ? 1 : 430 / (7 * longest + 60)
key_rows = (curves + key_columns - 1) / key_columns
columns = narrow ? 1 : panels <= 3 ? panels : panels == 4 ? 2 : 3
rows = (panels + columns - 1) / columns
left = narrow ? 80 : 95
panel_width = narrow ? 348 : panels == 1 ? 630 : 280
panel_height = narrow ? (panels == 1 ? 240 : 180) : panels == 1 ? 440 : 260
across = panel_width + (narrow ? 14 : panels == 1 ? 25 : 70) # room for the labels of the next one
down = panel_height + (narrow ? 60 : 70)
width = left + columns * across + (narrow ? 0 : (panels == 1 ? 40 : 60) + 7 * (longest < 28 ? 28 : longest))
heading = 18 * (1 + 7 * strlen(ARG4) / (width - left))
top = heading + (panels == 1 ? 14 : 46)
height = top + rows * down + (narrow ? 17 * key_rows : 0) + 5

title_width = width - left
call here . "terminal.gp" ARG2 ARG3 ARG4

at_x(pixels) = pixels / real(width)
at_y(pixels) = 1 - pixels / real(height)
eval ARG5
eval ARG6
set xtics out nomirror
set ytics out nomirror
set border 3 linecolor rgb BORDER
set grid ytics back linecolor rgb GRID linetype 1 linewidth 0.5
if (narrow) {
  set key at screen at_x(8), at_y(top + rows * down) left top Left reverse samplen 2 spacing 1.05 maxrows key_rows
} else {
  set key at screen at_x(left + columns * across - (panels == 1 ? 0 : 45)), at_y(top) left top Left reverse samplen 2.5 spacing 1.3
}
set label 1 title at screen at_x(left), at_y(18) left
set label 2 y_label at screen at_x(narrow ? 10 : 20), at_y((top + top + (rows - 1) * down + panel_height) / 2) center rotate

set multiplot
do for [panel = 0 : panels - 1] {
  column = panel % columns
  row = panel / columns
  set lmargin at screen at_x(left + column * across)
  set rmargin at screen at_x(left + column * across + panel_width)
  set tmargin at screen at_y(top + row * down)
  set bmargin at screen at_y(top + row * down + panel_height)
  if (panels > 1) { set title word(ARG7, panel + 1) offset 0, -0.5 }
  set xlabel (panel + columns < panels ? "" : x_label)
  plot @bar_plots for [i = 0 : curves - 1] ARG1 index panel * curves + i using 1:2 with linespoints linewidth 1.5 \
         linecolor rgb colour(style(i)) pointtype mark(style(i)) pointsize size(style(i)) notitle, \
       for [i = 0 : (panel == 0 ? curves - 1 : -1)] keyentry with linespoints linewidth 1.5 \
         linecolor rgb colour(style(i)) pointtype mark(style(i)) pointsize size(style(i)) title name(i)
  unset label
}
unset multiplot
set output
