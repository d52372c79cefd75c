"""A page of tutti report of real machines in Chromium: report_real_page.py PAGE. Every view of every map is drawn, and what
is said at its points."""
import json
import re
import sys

from webdriver import Browser

page = sys.argv[1]
with open(page, encoding="utf-8") as file:
    maps = json.loads(re.search(r'id="tutti-data">(.*?)</script>', file.read(), re.S).group(1))["maps"]


def expect(condition, *what):
    if not condition:
        raise SystemExit(f"report_real_page.py: {' '.join(map(str, what))}")


def see(browser, number, view, point):
    """Choose a view of a map and point at one of its cells: what the cell has, and the panel."""
    return browser.run("""const article = document.querySelector(`#map-${arguments[0]}`), select = article.querySelector("select");
      select.selectedIndex = arguments[1]; select.dispatchEvent(new Event("change"));
      const cell = article.querySelector(`.map td[data-point="${arguments[2]}"]`);
      cell.dispatchEvent(new PointerEvent("pointerover", { bubbles: true })); cell.focus();
      return [cell.textContent, article.querySelector(".point").innerText];""", number, view, point)


gains = closes = 0
with Browser() as browser:
    for width in (1280, 360):
        browser.resize(width, 800, width < 600)
        browser.open(page)
        for number, chart in enumerate(maps, 1):
            views = browser.run("return document.querySelector(`#map-${arguments[0]} select`).options.length", number)
            expect(views > 1, "a map of one view")
            for view in range(views):
                for point, best in enumerate(chart["best"]):
                    cell, panel = see(browser, number, view, point)
                    expect(cell, "an empty cell in view", view, "of map", number)
                    expect(f"{chart['times_us'][point][best]:.6g}"[:3] in panel.replace(",", ""), "no time in", panel)
                    expect("\u00b1" in panel, "no noise in", panel)
                    gains += cell.startswith("-")
                    closes += "within noise" in panel
        wide = browser.run("return document.documentElement.scrollWidth")
        expect(wide <= width, f"{wide} pixels wide on a screen of {width}")
        wide = browser.run("""const box = document.querySelector("#overview .scroll");
          return [box.scrollWidth, box.clientWidth];""")
        expect(width < 600 or wide[0] <= wide[1], "the overview", wide[0], "pixels wide in a column of", wide[1])
        messages = browser.log()
        expect(not messages, "the console says", messages[:1])
expect(gains > 0, "no cell in which the library's own choice is faster")
expect(closes > 0, "no method that differs from the best by less than the noise")
