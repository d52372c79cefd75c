"""What pictures (SVG) and pages have:
picture.py colours PALETTE PICTURE...   colours of plots/palette.gp, black and white, no others, and several of the palette
picture.py tics PICTURE x|y COUNT LABEL...  so many tics on an axis, and exactly these labels, in order
"""
import re
import sys


def read(name):
    with open(name, encoding="utf-8") as file:
        return file.read()


def colours_of(text):
    found = {int(colour, 16) for colour in re.findall(r"#([0-9a-fA-F]{6})\b", text)}
    for red, green, blue in re.findall(r"rgb\( *(\d+), *(\d+), *(\d+)\)", text):
        found.add(int(red) << 16 | int(green) << 8 | int(blue))
    return found


def check_colours(palette_file, *pictures):
    palette = {int(value, 16) for value in re.findall(r"^[A-Z_0-9]+ = 0x([0-9A-F]{6})$", read(palette_file), re.M)}
    for name in pictures:
        found = colours_of(read(name)) - {0x000000, 0xFFFFFF}
        others = sorted(f"#{colour:06x}" for colour in found - palette)
        if others or len(found) < 2:
            sys.exit(f"{name}: {len(found)} colours, not of the palette: {', '.join(others)}")


# The tics of an axis are short lines outwards, of which one with a label is a path of its own.
TICS = re.compile(r"<path stroke='rgb\( 64,  64,  64\)'  d='([^'Z]*)'/>(?:\s*<g transform[^>]*>\s*<text>([^<]*)</text>)?")
LINE = re.compile(r"M([\d.]+),([\d.]+) L([\d.]+),([\d.]+)")


def check_tics(name, axis, count, *labels):
    lines, found = [], []
    for path, label in TICS.findall(read(name)):
        ends = [[float(end) for end in line] for line in LINE.findall(path)]
        there = [(x, y) for x, y, x2, y2 in ends if abs(x2 - x) + abs(y2 - y) < 15 and (x == x2) == (axis == "x")]
        lines += there
        found += [label.strip()] if there and label.strip()[:1].isdigit() else []
    if len(lines) != int(count) or found != list(labels):
        sys.exit(f"{name}: {len(lines)} tics on {axis}: {' '.join(found)}")


{"colours": check_colours, "tics": check_tics}[sys.argv[1]](*sys.argv[2:])
