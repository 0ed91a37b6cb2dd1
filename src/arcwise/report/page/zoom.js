// The part of the drawing that is seen: wheel, pinch, drag, buttons and keys change it, nothing else does.

const stage = byId("stage");
const drawing = stage.querySelector("svg");
const whole = drawing.viewBox.baseVal;
const all = { x: whole.x, y: whole.y, width: whole.width, height: whole.height };
let view = { ...all };
const CLOSEST = 180; // pixels of the drawing across

function show(next) {
  view = next;
  drawing.setAttribute("viewBox", `${view.x} ${view.y} ${view.width} ${view.height}`);
  stage.classList.toggle("zoomed", view.width < all.width * 0.99);
}

// Around a point of the drawing, which stays where it is.
function zoomAt(x, y, factor) {
  const width = Math.min(Math.max(view.width / factor, Math.min(CLOSEST, all.width)), all.width * 1.5);
  const scale = width / view.width;
  show({ x: x - (x - view.x) * scale, y: y - (y - view.y) * scale, width, height: view.height * scale });
}

function zoomBy(factor) {
  zoomAt(view.x + view.width / 2, view.y + view.height / 2, factor);
}

function showAll() {
  show({ ...all });
}

// The place of a pointer in the drawing.
function placeOf(event) {
  const place = new DOMPoint(event.clientX, event.clientY).matrixTransform(drawing.getScreenCTM().inverse());
  return { x: place.x, y: place.y };
}

// Moves the view, and comes closer where letters are too small to be read, so that an element is in the middle.
function bringIntoView(element) {
  const box = element.getBBox();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const room = stage.getBoundingClientRect().width || 1;
  const wanted = Math.min(view.width, Math.max(room * 1.1, box.width * 2));
  const scale = wanted / view.width;
  const [width, height] = [view.width * scale, view.height * scale];
  const seen = x > view.x && x < view.x + view.width && y > view.y && y < view.y + view.height;
  if (!seen || scale < 1) show({ x: x - width / 2, y: y - height / 2, width, height });
}

const fingers = new Map();
let moved = false;

function beginDrag(event) {
  fingers.set(event.pointerId, event);
  if (fingers.size === 1) moved = false;
}

function drag(event) {
  const before = fingers.get(event.pointerId);
  if (!before) return;
  const far = Math.hypot(event.clientX - before.clientX, event.clientY - before.clientY);
  if (!moved && fingers.size === 1 && far < 5) return;
  if (!moved) drawing.setPointerCapture(event.pointerId); // not before: a click belongs to what was clicked
  moved = true;
  if (fingers.size === 2) pinch(event, before);
  else pan(event, before);
  fingers.set(event.pointerId, event);
}

function pan(event, before) {
  const [from, to] = [placeOf(before), placeOf(event)];
  show({ ...view, x: view.x + from.x - to.x, y: view.y + from.y - to.y });
}

function pinch(event, before) {
  const [other] = [...fingers.values()].filter((one) => one.pointerId !== event.pointerId);
  const apart = (one) => Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY) || 1;
  const middle = placeOf({ clientX: (event.clientX + other.clientX) / 2, clientY: (event.clientY + other.clientY) / 2 });
  zoomAt(middle.x, middle.y, apart(event) / apart(before));
}

function endDrag(event) {
  fingers.delete(event.pointerId);
}

// A wheel over a network that nobody has clicked scrolls the page, as anywhere else.
function wheel(event) {
  if (!event.ctrlKey && !stage.contains(document.activeElement)) return;
  event.preventDefault();
  const place = placeOf(event);
  zoomAt(place.x, place.y, Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.002)));
}

function startZoom() {
  drawing.removeAttribute("width");
  drawing.removeAttribute("height");
  drawing.addEventListener("pointerdown", beginDrag);
  drawing.addEventListener("pointermove", drag);
  for (const end of ["pointerup", "pointercancel"]) drawing.addEventListener(end, endDrag);
  stage.addEventListener("wheel", wheel, { passive: false });
  byId("zoom-in").addEventListener("click", () => zoomBy(1.4));
  byId("zoom-out").addEventListener("click", () => zoomBy(1 / 1.4));
  byId("zoom-all").addEventListener("click", showAll);
}
