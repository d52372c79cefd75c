# call "terminal.gp" OUTPUT TERMINAL TITLE: for a picture of `width` by `height` pixels, in which letters are 13 high; sets
# `title`, in lines of `title_width`. In a PDF letters are 7 points high, so that 442 pixels are the 8.4 cm of a
# paper's column.
if (ARG2 eq "svg") {
  set terminal svg size width, height noenhanced font "Helvetica,Arial,sans-serif,13" background rgb "white"
} else { if (ARG2 eq "pngcairo") {
  set terminal pngcairo size 2 * width, 2 * height noenhanced fontscale 2 linewidth 2 pointscale 2 font "Sans,10" background rgb "white"
} else {
  page_width = 8.4 * width / 442
  page_height = 8.4 * height / 442
  set terminal pdfcairo size page_width cm, page_height cm noenhanced fontscale 0.75 font "Sans,7" linewidth 0.7 pointscale 0.6 \
    background rgb "white"
} }
set output ARG1

title = ""
rest = ARG3
chars = title_width / 7
while (strlen(rest) > chars) {
  end = chars
  while (end > 1 && rest[end:end] ne " ") { end = end - 1 }
  if (end == 1) { end = chars }
  title = title . rest[1:end - (rest[end:end] eq " ")] . "\n"
  rest = rest[end + 1:*]
}
title = title . rest
