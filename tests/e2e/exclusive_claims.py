"""Counted claims of one query whose published numbers are further apart than their tolerances: both cannot hold.

usage: exclusive_claims.py EXPERIMENT.xml...
"""
import itertools
import math
import re
import sys
import xml.etree.ElementTree as tree


def accepted(claim):
    """The least and the largest number that a claim accepts; bounds of comparisons included."""
    published, within = claim.get("published").strip(), claim.get("within", "0")
    if published in ("true", "false"):
        return (0, 0) if published == "false" else (1, 1)
    if published[0] in "<>":
        bound = float(published.lstrip("<>= "))
        return (-math.inf, bound) if published[0] == "<" else (bound, math.inf)
    if ".." in published:
        return tuple(float(end) for end in published.split(".."))
    value, (number, unit) = float(published), re.match(r"\s*([-+.0-9e]+)\s*(.*)", within).groups()
    if unit == "x":
        return value / float(number), value * float(number)
    distance = abs(value) * float(number) / 100 if unit == "%" else float(number)
    return value - distance, value + distance


found = 0
for path in sys.argv[1:]:
    claims = [claim for claim in tree.parse(path).getroot().iter("claim")
              if claim.get("kind", "prediction") in ("prediction", "formula")]
    for a, b in itertools.combinations(claims, 2):
        (low_a, high_a), (low_b, high_b) = accepted(a), accepted(b)
        if "".join(a.text.split()) == "".join(b.text.split()) and (low_a > high_b or low_b > high_a):
            print(f"{path}: '{a.get('what')}' and '{b.get('what')}' have one query and cannot both hold")
            found += 1
sys.exit(found > 0)
