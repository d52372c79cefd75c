# When the vertices of a schedule take place: a lane for each rank, in it sends above, computation amid, receives below.
# gnuplot -d -c timeline.gp DATA OUTPUT TERMINAL TITLE RANKS KINDS MESSAGES
# DATA: for each kind a block of lines RANK START END, apart by two empty lines, in the order of KINDS; then, if MESSAGES,
# their number, is not 0, one of lines START SENDER END RECEIVER. Microseconds.
# KINDS: name style ...; a style, from 0 on, is a colour with a place in the lane: send, receive, reduce, copy.
set encoding utf8
here = ARG0[1:strlen(ARG0) - strlen("timeline.gp")]
load here . "palette.gp"
ranks = int(ARG5)
kinds = words(ARG6) / 2
messages = int(ARG7)
few = messages > 0 && messages <= 300 # in front, with heads
many = messages > 300
name(i) = word(ARG6, 2 * i + 1)
style(i) = int(word(ARG6, 2 * i + 2))

colour(i) = value(word("SKY ORANGE GREEN PURPLE", i + 1))
top(i) = real(word("-0.36 0.12 -0.12 -0.12", i + 1))
bottom(i) = top(i) + 0.24

lane = ranks <= 16 ? 32 : ranks <= 64 ? 16 : 1000.0 / ranks
left = 70
plot_width = 800
plot_height = ranks * lane < 140 ? 140 : ranks * lane # room for the key
width = left + plot_width + 120
height = 45 + plot_height + 65

title_width = width - left
call here . "terminal.gp" ARG2 ARG3 ARG4

set lmargin at screen left / real(width)
set rmargin at screen (left + plot_width) / real(width)
set tmargin at screen 1 - 45 / real(height)
set bmargin at screen 65 / real(height)
set label 1 title at screen left / real(width), 1 - 22 / real(height) left
set xlabel "Time [us]"
set ylabel "Rank"
set xrange [0:*]
set yrange [ranks - 0.5:-0.5]
step = (ranks - 1) / 32 + 1
set format "%g"
set ytics step out nomirror
set xtics out nomirror
set border 3 linecolor rgb BORDER
set grid xtics back linecolor rgb GRID linetype 1 linewidth 0.5
set key at screen (left + plot_width + 10) / real(width), 1 - 45 / real(height) left top Left reverse samplen 1.5 spacing 1.3
set style fill solid 1 border rgb BORDER
set style arrow 1 head filled size screen 0.008, 20 linewidth 0.7 linecolor rgb BORDER
set style arrow 2 nohead linewidth 0.5 linecolor rgb GRID
plot for [i = 1 : many] ARG1 index kinds using 1:($2 - 0.24):($3 - $1):($4 - $2 + 0.48) \
       with vectors arrowstyle 2 title "message", \
     for [i = 0 : kinds - 1] ARG1 index i using (($2 + $3) / 2):1:2:3:($1 + top(style(i))):($1 + bottom(style(i))) \
       with boxxyerror linewidth 0.5 linecolor rgb colour(style(i)) title name(i), \
     for [i = 1 : few] ARG1 index kinds using 1:($2 - 0.24):($3 - $1):($4 - $2 + 0.48) \
       with vectors arrowstyle 1 title "message"
set output
