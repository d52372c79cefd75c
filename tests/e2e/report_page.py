"""A page of tutti report in Chromium without a network: report_page.py PAGE [DIRECTORY for screenshots].

Phone and desktop, light and dark, pointer and keys, layers, without JavaScript, and on paper.
"""
import base64
import json
import os
import re
import sys

from webdriver import Browser

page = sys.argv[1]
shots = sys.argv[2] if len(sys.argv) > 2 else None
with open(page, encoding="utf-8") as file:
    data = json.loads(re.search(r'id="tutti-data">(.*?)</script>', file.read(), re.S).group(1))
chart = data["maps"][0]
SIZES = len(chart["sizes"])


def expect(condition, *what):
    if not condition:
        raise SystemExit(f"report_page.py: {' '.join(map(str, what))}")


def shoot(browser, name, whole=False):
    if shots:
        os.makedirs(shots, exist_ok=True)
        browser.picture(os.path.join(shots, name + ".png"), whole)


def best(point):
    return chart["methods"][chart["best"][point]]


def check_quiet(browser, where):
    messages = browser.log()
    expect(not messages, where, "the console says", messages)
    asked = browser.run("return performance.getEntriesByType('resource').map((entry) => entry.name)")
    expect(asked == [], where, "the page asked for", asked)


def check_width(browser, width):
    wide = browser.run("return document.documentElement.scrollWidth")
    expect(wide <= width, f"{wide} pixels wide on a screen of {width}")


def check_colours(browser, scheme):
    """The page is light or dark, and its text can be read: the contrast of WCAG 2 is at least 7."""
    found = browser.run("""
      const style = getComputedStyle(document.body);
      const light = (colour) => colour.match(/[\\d.]+/g).slice(0, 3).map((part) => part / 255)
        .map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
        .reduce((sum, part, at) => sum + part * [0.2126, 0.7152, 0.0722][at], 0);
      return [light(style.backgroundColor), light(style.color)];""")
    paper, ink = found
    expect((paper > 0.5) == (scheme == "light"), scheme, "has a background of luminance", paper)
    expect((max(found) + 0.05) / (min(found) + 0.05) >= 7, scheme, "has little contrast", paper, ink)


def check_cues(browser):
    """On a phone a table that goes on to the right says so and fades there, until its end is seen."""
    found = browser.run("""
      const boxes = [...document.querySelectorAll(".scroll, .rules")].filter((box) => box.scrollWidth > box.clientWidth + 1);
      const fades = (box) => getComputedStyle(box).maskImage !== "none";
      const before = boxes.map(fades);
      const faded = boxes.filter((box) => {
        const caption = box.querySelector("caption"), text = document.createRange();
        if (!caption) return false;
        text.selectNodeContents(caption);
        return text.getBoundingClientRect().right > box.getBoundingClientRect().right - 47;
      }).length;
      boxes.forEach((box) => { box.scrollLeft = box.scrollWidth; });
      return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done({
        count: boxes.length, faded, before, after: boxes.map(fades),
        said: [...document.querySelectorAll(".more")].filter((cue) => !cue.hidden).length}))));""")
    expect(found["count"] >= 2, "too few wide tables", found)
    expect(all(found["before"]) and not any(found["after"]), "fading edges", found)
    expect(found["faded"] == 0, "captions that fade", found)
    expect(found["said"] == found["count"], "words above wide tables", found)
    apart = browser.run("""
      const left = (cell) => Math.round(cell.getBoundingClientRect().left);
      return [...document.querySelectorAll(".scroll table")].filter((table) => table.tHead && table.tBodies[0].rows.length > 0)
        .filter((table) => left(table.tHead.rows[0].cells[0]) !== left(table.tBodies[0].rows[0].cells[0]))
        .map((table) => table.caption.textContent);""")
    expect(not apart, "scrolled, headings do not stand above their columns in", apart)


def check_fill(browser):
    """The cells of a map fill the column that it is in."""
    table, column = browser.run("""const table = document.querySelector("#map-1 table.map");
      return [table.getBoundingClientRect().width, table.closest(".scroll").clientWidth];""")
    expect(table >= 0.98 * column, "a map", table, "pixels wide in a column of", column)


def panel(browser):
    return browser.run("""const panel = document.querySelector("#map-1 .point");
      const title = panel.querySelector("h4"), best = panel.querySelector(".best");
      return [title ? title.textContent : "", best ? best.textContent : ""];""")


def size_name(point):
    return chart["sizes"][point % SIZES]


def check_panel(browser, point, how):
    title, method = panel(browser)
    ranks = chart["ranks"][point // SIZES]
    expect(title.startswith(f"{ranks} ranks, "), how, "point", point, "shows", title)
    size = title.split(", ")[1]
    unit = {"B": 1, "KB": 1024, "MB": 1 << 20}[re.sub(r"\d", "", size)]
    expect(int(re.sub(r"\D", "", size)) * unit == size_name(point), how, "point", point, "shows", title)
    expect(method == best(point)["name"], how, "point", point, "shows", method, "not", best(point)["name"])


def check_pointer(browser):
    for point in range(0, len(chart["best"]), 3):
        x, y = browser.run("""const cell = document.querySelector(`#map-1 td[data-point="${arguments[0]}"]`);
          cell.scrollIntoView({block: "center", inline: "center"});
          const box = cell.getBoundingClientRect();
          return [box.x + box.width / 2, box.y + box.height / 2];""", point)
        browser.hover(x, y)
        check_panel(browser, point, "pointing at")


def focused(browser):
    point = browser.run("return document.activeElement.dataset.point ?? null")
    return None if point is None else int(point)


def check_keys(browser):
    """All of the page by keys: the skip link first, then the map, in which arrows move."""
    browser.open(page)  # Tab goes on from what was scrolled into view last (Chromium 150), and back to the top does not help
    browser.run("return new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)))")  # no key before
    browser.press("Tab")
    expect(browser.run("return document.activeElement.className") == "skip", "the skip link is not first")
    for _ in range(100):
        browser.press("Tab")
        if focused(browser) is not None:
            break
    expect(focused(browser) == 0, "Tab does not get to the map but to", focused(browser))
    outline = browser.run("return getComputedStyle(document.activeElement).outlineStyle")
    expect(outline == "solid", "the focus is not seen:", outline)
    point = 0
    for key, step in [("ArrowRight", SIZES), ("ArrowDown", 1), ("ArrowRight", SIZES), ("ArrowUp", -1),
                      ("ArrowLeft", -SIZES), ("End", (len(chart["ranks"]) - 2) * SIZES), ("ArrowRight", 0),
                      ("ArrowDown", 1)]:
        browser.press(key)
        point += step
        expect(focused(browser) == point, key, "goes to", focused(browser), "not", point)
        check_panel(browser, point, key)
    label = browser.run("return document.activeElement.getAttribute('aria-label')")
    expect(best(point)["name"].split("/", 1)[1] in label, "the label of a cell is", label)
    stops = browser.run("return document.querySelectorAll('#map-1 td[tabindex=\"0\"]').length")
    expect(stops == 1, "the map has", stops, "stops for Tab")


def cells(browser):
    return browser.run("""return [...document.querySelectorAll("#map-1 td[data-point]")]
      .sort((left, right) => left.dataset.point - right.dataset.point).map((cell) => cell.textContent)""")


def choose(browser, value):
    browser.run("""const select = document.querySelector("#map-1 select");
      select.value = arguments[0]; select.dispatchEvent(new Event("change"));""", value)


def check_layers(browser):
    letters = [best(point)["letter"] for point in range(len(chart["best"]))]
    expect(cells(browser) == letters, "the letters of the best methods are", cells(browser))
    expect(len({layer["name"] for layer in chart["layers"]}) >= 6, "too few decision functions")
    for at, layer in enumerate(chart["layers"]):
        choose(browser, f"picks {at}")
        picks = [chart["methods"][pick]["letter"] if pick >= 0 else "." for pick in layer["picks"]]
        expect(cells(browser) == picks, "picks of", layer["name"], "are shown as", cells(browser))
        expect("" not in picks, "a pick of", layer["name"], "has no letter")
        choose(browser, f"loss {at}")
        for loss, text in zip(layer["loss_percent"], cells(browser)):
            expect(text == "." if loss is None else abs(int(text) - loss) <= 0.51, layer["name"], loss, text)
    shoot(browser, "loss")
    choose(browser, "best -1")
    browser.run("document.querySelector('#map-1 .controls button').click()")
    expect(cells(browser) == letters, "turned, the letters of the best methods are", cells(browser))
    head = browser.run("return document.querySelectorAll('#map-1 table.map thead th').length")
    expect(head == SIZES + 1, "turned, the map has", head, "columns")
    browser.run("document.querySelector('#map-1 .controls button').click()")


def check_structure(browser):
    """What readers of the page by ear need."""
    faults = browser.run("""
      const faults = [];
      const levels = [...document.querySelectorAll("h1, h2, h3, h4")].map((heading) => Number(heading.tagName[1]));
      levels.forEach((level, at) => { if (at > 0 && level > levels[at - 1] + 1) faults.push(`heading ${at} skips a level`); });
      if (levels.filter((level) => level === 1).length !== 1) faults.push("not one h1");
      document.querySelectorAll("table").forEach((table) => {
        if (!table.caption || !table.caption.textContent) faults.push("a table without a caption");
        table.querySelectorAll("th").forEach((cell) => { if (!cell.scope) faults.push(`no scope: ${cell.textContent}`); });
      });
      document.querySelectorAll(".scroll").forEach((box) => {
        if (!box.getAttribute("aria-label") || box.tabIndex !== 0) faults.push("a box that scrolls cannot be reached by keys");
      });
      document.querySelectorAll("a[href^='#']").forEach((link) => {
        if (!document.getElementById(link.hash.slice(1))) faults.push(`no ${link.hash}`); });
      const ids = [...document.querySelectorAll("[id]")].map((named) => named.id);
      if (new Set(ids).size !== ids.length) faults.push("an id twice");
      document.querySelectorAll("svg").forEach((picture) => {
        if (!picture.getAttribute("aria-label") && picture.getAttribute("aria-hidden") !== "true") faults.push("a picture without words");
      });
      return faults;""")
    expect(not faults, faults)


def check_switch(browser):
    for scheme in ("light", "dark"):
        browser.run("document.querySelector(`[data-scheme=${arguments[0]}]`).click()", scheme)
        check_colours(browser, scheme)
    browser.run("document.querySelector('[data-scheme=auto]').click()")


def check_without_script(browser):
    browser.script(False)
    browser.open(page)
    texts = browser.develop("DOM.getDocument")["root"]["nodeId"]
    found = browser.develop("DOM.querySelectorAll", nodeId=texts, selector="#map-1 table.map td")["nodeIds"]
    expect(len(found) == len(chart["best"]), "without JavaScript the map has", len(found), "cells")
    hidden = browser.develop("DOM.querySelectorAll", nodeId=texts, selector=".controls:not([hidden])")["nodeIds"]
    expect(not hidden, "without JavaScript there are controls that do nothing")
    shoot(browser, "without-script")
    browser.script(True)


def check_paper(browser):
    printed = base64.b64decode(browser.develop("Page.printToPDF", printBackground=True)["data"])
    expect(printed.startswith(b"%PDF") and len(printed) > 10000, "cannot be printed")


with Browser() as browser:
    for scheme in ("light", "dark"):
        browser.prefer(scheme)
        for width, height in ((1280, 900), (320, 640)):
            browser.resize(width, height, width < 600)
            browser.open(page)
            check_quiet(browser, f"{width} pixels, {scheme}")
            check_width(browser, width)
            check_colours(browser, scheme)
            check_fill(browser)
            shoot(browser, f"{scheme}-{width}", whole=True)
            if width < 600:
                check_cues(browser)
    browser.resize(1280, 900)
    browser.open(page)
    check_structure(browser)
    check_pointer(browser)
    check_keys(browser)
    check_layers(browser)
    check_switch(browser)
    check_quiet(browser, "after all")
    check_paper(browser)
    check_without_script(browser)
print(f"{len(chart['best'])} cells, {len(chart['layers'])} layers; phone and desktop, light and dark, keys, paper: good")
