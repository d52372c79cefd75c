# Simulated, priced and formula times in several panels, both axes logarithmic.
# gnuplot -d -c models.gp DATA OUTPUT TERMINAL TITLE X_AXIS Y_AXIS PANELS COLUMNS
# DATA: for each panel seven blocks, apart by two empty lines, of lines x y: simulated; by Hockney, LogGP, PLogP priced;
# by Hockney, LogGP, PLogP by formula.
# X_AXIS, Y_AXIS: gnuplot's commands for range and tics, and for x_label and y_label.
# PANELS: "title" ..., row by row; COLUMNS of them in a row.
set encoding utf8
here = ARG0[1:strlen(ARG0) - strlen("models.gp")]
load here . "palette.gp"
panels = words(ARG7)
columns = int(ARG8)
rows = (panels + columns - 1) / columns
models = "Hockney LogGP PLogP"

colour(model) = line_colour(model)
line_width(model) = real(word("4.5 2.8 1.2", model)) # one shows beside another that hides it

panel_width = columns > 2 ? 230 : 330
panel_height = columns > 2 ? 230 : 260
across = panel_width + 70
down = panel_height + 75
left = 85
top = 80
width = left + columns * across + 150
height = top + rows * down + 5

title_width = width - left
call here . "terminal.gp" ARG2 ARG3 ARG4

at_x(pixels) = pixels / real(width)
at_y(pixels) = 1 - pixels / real(height)
set logscale xy
set xrange [*:*] noextend
set yrange [*:*] noextend
set offsets graph 0.04, graph 0.04, graph 0.06, graph 0.06
eval ARG5
eval ARG6
set xtics out nomirror
set ytics out nomirror
set border 3 linecolor rgb BORDER
set grid ytics back linecolor rgb GRID linetype 1 linewidth 0.5
set key at screen at_x(left + columns * across - 35), at_y(top) left top Left reverse samplen 2.5 spacing 1.3
set label 1 title at screen at_x(left), at_y(22) left
set label 2 y_label at screen at_x(18), at_y(top + ((rows - 1) * down + panel_height) / 2) center rotate

set multiplot
do for [panel = 0 : panels - 1] {
  column = panel % columns
  row = panel / columns
  set lmargin at screen at_x(left + column * across)
  set rmargin at screen at_x(left + column * across + panel_width)
  set tmargin at screen at_y(top + row * down)
  set bmargin at screen at_y(top + row * down + panel_height)
  set title word(ARG7, panel + 1) offset 0, -0.5
  set xlabel (panel + columns < panels ? "" : x_label)
  plot for [i = 1 : 3] ARG1 index 7 * panel + i using 1:2 with lines linewidth line_width(i) linecolor rgb colour(i) notitle, \
       for [i = 1 : 3] ARG1 index 7 * panel + 3 + i using 1:2 with lines dashtype 2 linewidth 1.5 linecolor rgb colour(i) notitle, \
       ARG1 index 7 * panel using 1:2 with points pointtype 6 pointsize (ARG3 eq "svg" ? 0.5 : 0.7) linecolor rgb BLACK notitle, \
       for [i = 1 : (panel == 0 ? 3 : 0)] keyentry with lines linewidth line_width(i) linecolor rgb colour(i) title word(models, i) . ", priced", \
       for [i = 1 : (panel == 0 ? 3 : 0)] keyentry with lines dashtype 2 linewidth 1.5 linecolor rgb colour(i) title word(models, i) . ", formula", \
       for [i = 1 : (panel == 0)] keyentry with points pointtype 6 pointsize (ARG3 eq "svg" ? 0.5 : 0.7) linecolor rgb BLACK title "simulated"
  unset label
}
unset multiplot
set output
