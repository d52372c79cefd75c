// What the other scripts of the page share: elements, numbers, colours. All of them are one script in a block of its own.

const element = (name, properties = {}, ...children) => {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
};

// As the tables print numbers: four significant digits, groups of three from 1,000 on.
const number = (value) => {
  if (value === null || !Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  if (size >= 999.95) return Math.round(value).toLocaleString("en-US");
  if (size === 0) return "0";
  return value.toFixed(Math.max(0, 3 - Number(size.toExponential(3).split("e")[1])));
};

const percent = (value) => {
  if (value === null || !Number.isFinite(value)) return "–";
  return `${value === 0 ? "0" : value < 9.995 ? value.toFixed(2) : value < 99.95 ? value.toFixed(1) : number(Math.round(value))} %`;
};

// What the library chooses itself may take less than all that is in the race.
const slower = (loss) => (loss < 0 ? `${percent(-loss)} faster than` : `${percent(loss)} slower than`);

// An area is a background, "colour", and the ink that is read on it; null: none.
const paint = (target, area) => {
  target.style.background = area ? area.colour : "";
  target.style.color = area ? area.ink : "";
};

const swatch = (text, area) => {
  const made = element("span", { className: "swatch", textContent: text });
  paint(made, area);
  return made;
};
