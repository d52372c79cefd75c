"""The data in a page of tutti report, beside what the store says: report_data.py PAGE STORE."""
import json
import re
import sqlite3
import sys

page, store = sys.argv[1:]
with open(page, encoding="utf-8") as file:
    text = file.read()
data = json.loads(re.search(r'<script type="application/json" id="tutti-data">(.*?)</script>', text, re.S).group(1))
database = sqlite3.connect(f"file:{store}?mode=ro", uri=True)
cells = 0
for chart in data["maps"]:
    names = [method["name"] for method in chart["methods"]]
    for ranks_index, ranks in enumerate(chart["ranks"]):
        for size_index, size in enumerate(chart["sizes"]):
            point = ranks_index * len(chart["sizes"]) + size_index
            rows = dict(database.execute(
                "SELECT d.name, m.median_s * 1e6 FROM measurement m JOIN method d ON d.id = m.method"
                " JOIN environment e ON e.id = m.environment"
                " WHERE e.platform = ? AND d.collective = ? AND m.ranks = ? AND m.rank_B = ?",
                (chart["platform"], chart["collective"], ranks, size)))
            times = {names[i]: time for i, time in enumerate(chart["times_us"][point]) if time is not None}
            assert times.keys() == rows.keys(), (ranks, size, times.keys() ^ rows.keys())
            for name, time in times.items():
                assert abs(time - rows[name]) <= 1e-5 * rows[name], (ranks, size, name, time, rows[name])
            best = names[chart["best"][point]]
            assert rows[best] <= min(rows.values()) * (1 + 1e-9), (ranks, size, best, rows)
            for layer in chart["layers"]:
                pick = layer["picks"][point]
                loss = layer["loss_percent"][point]
                # What was not measured is served by a substitute, or by nothing.
                if pick >= 0 and names[pick] in rows:
                    expected = 100 * (rows[names[pick]] - rows[best]) / rows[best]
                    assert abs(loss - expected) <= 1e-3 * (1 + expected), (ranks, size, layer["name"], loss, expected)
            cells += 1
assert cells > 0, "no map"
print(f"{cells} cells as in the store")
