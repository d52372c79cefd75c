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

// Black or white, whichever is read better (relative luminance, WCAG 2).
const inkOn = (colour) => {
  const channels = [1, 3, 5].map((at) => {
    const part = parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * channels[0] + 0.7152 * channels[1] + 0.0722 * channels[2] > 0.179 ? "#000" : "#fff";
};

const paint = (target, colour) => {
  target.style.background = colour || "";
  target.style.color = colour ? inkOn(colour) : "";
};

const swatch = (text, colour) => {
  const made = element("span", { className: "swatch", textContent: text });
  paint(made, colour);
  return made;
};
