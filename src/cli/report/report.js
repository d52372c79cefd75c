// What the page can do beyond being read: the switch of colours, boxes wider than the screen, and maps (report_map.js).

// ---- light and dark ----

const root = document.documentElement;

const switchOfScheme = () => {
  const group = document.querySelector(".scheme");
  const buttons = [...group.querySelectorAll("button")];
  group.hidden = false;
  buttons.forEach((button) =>
    button.addEventListener("click", () => {
      if (button.dataset.scheme === "auto") delete root.dataset.scheme;
      else root.dataset.scheme = button.dataset.scheme;
      buttons.forEach((other) => other.setAttribute("aria-pressed", String(other === button)));
    }));
};

// ---- what is wider than the screen ----

// A box whose content goes on to the right fades there, and says so above; both end where the content does.
const watchWidth = (box) => {
  const cue = element("span", { className: "more", textContent: "Scroll sideways for more \u2192", hidden: true });
  cue.setAttribute("aria-hidden", "true"); // who does not see the edge does not need it
  (box.closest(".board, .pair") || box).before(cue); // those are grids
  const update = () => {
    cue.hidden = box.scrollWidth <= box.clientWidth + 1;
    box.classList.toggle("more-right", box.scrollLeft + box.clientWidth < box.scrollWidth - 1);
  };
  box.addEventListener("scroll", update, { passive: true });
  new ResizeObserver(update).observe(box);
  if (box.firstElementChild) new ResizeObserver(update).observe(box.firstElementChild);
  update();
};

switchOfScheme();
document.querySelectorAll(".scroll, .rules").forEach(watchWidth);
document.querySelectorAll("table.map").forEach((table) => new DecisionMap(table));
document.querySelectorAll(".scripted").forEach((text) => { text.hidden = false; });
