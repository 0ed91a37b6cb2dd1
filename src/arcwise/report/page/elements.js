// Elements are made of text, never of markup: the names of columns come from strangers.

const SVG = "http://www.w3.org/2000/svg";

function make(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

function shape(tag, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value !== null && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== ""));
  return element;
}

function byId(id) {
  return document.getElementById(id);
}

function replaceContent(element, ...children) {
  element.replaceChildren(...children.filter((child) => child !== null && child !== ""));
}

// A list of facts: the names on the left, what they are on the right.
function facts(pairs) {
  const there = pairs.filter(([, value]) => value !== null && value !== "");
  return make("dl", {}, ...there.flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, value)]));
}

// A heading of a part of the panel or of a section.
function part(title, ...children) {
  return make("section", { class: "part" }, make("h3", {}, title), ...children);
}
