"""Letters of a dense map in SVG are within their colour: map_letters.py PICTURE.svg [LETTERS that have no room]..."""
import re
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    picture = file.read()
patterns = {f"url(#{name})": path for name, path in re.findall(r"<pattern id='(\w+)'[^>]*>\s*(<path[^>]*>)", picture)}
cells = []
for fill, points in re.findall(r"<polygon +fill = '([^']*)' points = '([^']*)'", picture):
    corners = [tuple(map(float, corner.split(","))) for corner in points.split()]
    xs, ys = zip(*corners)
    cells.append((min(xs), max(xs), min(ys), max(ys), patterns.get(fill, fill)))


def colour_at(x, y):
    return next((fill for left, right, top, bottom, fill in reversed(cells) if left <= x <= right and top <= y <= bottom), None)


labels = re.findall(r'translate\(([\d.]+),([\d.]+)\)"[^>]*font-size="14\.00"[^>]*>\s*<text>([^<]*)<', picture)
for x, y, text in labels:
    x, y = float(x), float(y)
    wide, high = 4.5 * len(text), 10  # of the letters, which stand on y
    found = {colour_at(x + dx, y + dy) for dx in (-wide, 0, wide) for dy in (-high, -high / 2, 0)}
    if len(found) != 1 or None in found:
        sys.exit(f"map_letters.py: '{text}' at {x}, {y} stands on {found}")
shown = {text for _, _, text in labels}
if not labels or shown & set(sys.argv[2:]):
    sys.exit(f"map_letters.py: the letters are {shown}")
