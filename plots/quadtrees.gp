# Quadtrees: effect of the accuracy threshold on mean depth and penalty, and both limits beside each other.
# gnuplot -d -c quadtrees.gp ACCURACY DEPTH OUTPUT.svg
# ACCURACY, DEPTH: a block a map, apart by two empty lines, headed by its name in quotes; lines of
# "accuracy mean_depth mean_penalty" and "mean_depth mean_penalty".
set terminal svg size 1000, 760 noenhanced font "Helvetica,Arial,sans-serif,13" background rgb "white"
set output ARG3
stats ARG1 using 1 nooutput
maps = STATS_blocks
load ARG0[1:strlen(ARG0) - strlen("quadtrees.gp")] . "palette.gp"
colour(i) = line_colour(i + 1)
set border 3 linecolor rgb BORDER
set tics nomirror out
set key top right
set xrange [0:*]
set multiplot layout 2, 2
set xlabel "Accuracy threshold [%]"
set ylabel "Mean depth"
set key top left
plot for [i = 0 : maps - 1] ARG1 index i using 1:2 with linespoints linecolor rgb colour(i) pointtype 7 \
  pointsize 0.5 title columnheader(1)
set ylabel "Mean penalty [%]"
set key top right
set logscale y
plot for [i = 0 : maps - 1] ARG1 index i using 1:($3 > 0.001 ? $3 : 0.001) with linespoints linecolor rgb colour(i) \
  pointtype 7 pointsize 0.5 title columnheader(1)
set xlabel "Mean depth"
set xrange [0:6]
set yrange [0.001:1000]
do for [half = 0 : 1] {
  set title half == 0 ? "Limited by accuracy" : "Limited by depth"
  file = half == 0 ? ARG1 : ARG2
  depth = half == 0 ? 2 : 1
  plot for [i = 0 : maps - 1] file index i \
    using (column(depth)):(column(depth + 1) > 0.001 ? column(depth + 1) : 0.001) with linespoints \
    linecolor rgb colour(i) pointtype 7 pointsize 0.5 title columnheader(1)
}
unset multiplot
set output
