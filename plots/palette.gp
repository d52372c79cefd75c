# The colours of all pictures and of the report, made for colour-blind readers and for print. The scripts here load this
# file; src/cli/report/marks.h has them for C and the page. No other file has a colour of data.
# Okabe and Ito 2008, "Color universal design": any two are apart for readers with protanopia or deuteranopia too.
BLACK = 0x000000
ORANGE = 0xE69F00
BLUE = 0x0072B2
PURPLE = 0xCC79A7
GREEN = 0x009E73
SKY = 0x56B4E9
VERMILLION = 0xD55E00
YELLOW = 0xF0E442
# Lines and points take these in turn, so that neighbours differ in lightness as well; yellow is too pale on white.
LINES = "BLACK ORANGE BLUE PURPLE GREEN SKY VERMILLION"
# How much is lost, from little to much: ColorBrewer YlOrBr (Brewer 2002), darker step by step, in hue between yellow and
# vermillion.
LOSS_1 = 0xFFFFD4
LOSS_2 = 0xFEE391
LOSS_3 = 0xFEC44F
LOSS_4 = 0xFE9929
LOSS_5 = 0xEC7014
LOSS_6 = 0xCC4C02
LOSS_7 = 0x8C2D04
# Native methods; borders; what was not measured; lines of a grid.
GRAY = 0x595959
BORDER = 0x404040
UNMEASURED = 0xEEEEEE
GRID = 0xDDDDDD

line_colour(i) = value(word(LINES, i % words(LINES) + 1))
