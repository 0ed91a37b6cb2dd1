// The drawn network: clicks and keys open columns and edges; what belongs to the selection stands out, the rest fades.

const nodeShapes = new Map([...drawing.querySelectorAll("g.node")].map((group) => [Number(group.dataset.node), group]));
const edgeShapes = new Map([...drawing.querySelectorAll("g.edge")].map((group) => [group.dataset.edge, group]));
let current = null; // the column that the keys are at

function startNetwork() {
  drawing.setAttribute("role", "group");
  drawing.setAttribute("aria-label", "Network");
  drawing.querySelector(":scope > title")?.remove(); // a tooltip of everything says nothing
  for (const [k, group] of nodeShapes) {
    describe(group, `${names[k]}, ${page.columns[k].shown}, ${counted(learnedEdges(k).length, "edge")}`);
  }
  for (const [key, group] of edgeShapes) {
    const edge = edgeByKey.get(key);
    describe(group, `${edgeTitle(edge)} ${strengthText(edge.strength)}`.trim());
    widen(group);
  }
  const first = nodeShapes.keys().next();
  if (!first.done) rove(first.value);
  drawing.addEventListener("click", clicked);
  stage.addEventListener("keydown", pressed);
  onSelect(highlight);
}

function describe(group, words) {
  group.setAttribute("role", "button");
  group.setAttribute("tabindex", "-1");
  group.setAttribute("aria-label", words);
}

// A line is easier to hit with a broad one that cannot be seen.
function widen(group) {
  const path = group.querySelector("path");
  if (!path) return;
  const broad = shape("path", { d: path.getAttribute("d"), class: "broad" });
  group.prepend(broad);
}

// Only one column is reached by Tab; the arrows go on from there.
function rove(k) {
  if (current !== null) nodeShapes.get(current).setAttribute("tabindex", "-1");
  current = k;
  nodeShapes.get(k).setAttribute("tabindex", "0");
}

function clicked(event) {
  if (moved) return;
  const group = event.target.closest("g.node, g.edge");
  if (!group) select(null);
  else open(group);
}

function open(group) {
  if (group.dataset.node !== undefined) select({ node: Number(group.dataset.node) });
  else select({ edge: group.dataset.edge });
}

const KEYS = {
  "+": () => zoomBy(1.4), "=": () => zoomBy(1.4), "-": () => zoomBy(1 / 1.4), "0": showAll,
  Escape: () => select(null),
  ArrowLeft: () => goTowards(-1, 0), ArrowRight: () => goTowards(1, 0),
  ArrowUp: () => goTowards(0, -1), ArrowDown: () => goTowards(0, 1),
  e: nextEdge, E: nextEdge,
};

function pressed(event) {
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  const group = event.target.closest("g.node, g.edge");
  if (group && (event.key === "Enter" || event.key === " ")) open(group);
  else if (KEYS[event.key]) KEYS[event.key]();
  else return;
  event.preventDefault();
}

function focusOn(group) {
  group.focus({ preventScroll: true });
  bringIntoView(group);
}

// To the nearest column that lies in this direction, more ahead than aside.
function goTowards(dx, dy) {
  const from = middleOf(nodeShapes.get(current));
  let best = null;
  for (const [k, group] of nodeShapes) {
    const to = middleOf(group);
    const ahead = (to.x - from.x) * dx + (to.y - from.y) * dy;
    const aside = Math.abs((to.x - from.x) * dy) + Math.abs((to.y - from.y) * dx);
    if (k === current || ahead <= 1) continue;
    const far = ahead + 2 * aside;
    if (!best || far < best.far) best = { k, far };
  }
  if (best) rove(best.k);
  focusOn(nodeShapes.get(current));
}

function middleOf(group) {
  const box = group.getBBox();
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

// Through the edges of the column that the keys are at, one after another.
function nextEdge() {
  const own = edgesOfNode[current].map((edge) => keyOf(edge.a, edge.b)).filter((key) => edgeShapes.has(key) && !edgeShapes.get(key).classList.contains("weak"));
  if (!own.length) return;
  const at = own.indexOf(document.activeElement.dataset.edge);
  edgeShapes.get(own[(at + 1) % own.length]).focus({ preventScroll: true });
}

// Classes are changed only where they differ: a large network must answer at once.
let marked = [];
function highlight(what) {
  for (const group of marked) group.classList.remove("near", "chosen");
  marked = [];
  drawing.classList.toggle("selecting", Boolean(what));
  if (!what) return;
  if (what.node !== undefined) {
    rove(what.node);
    mark(nodeShapes.get(what.node), "chosen");
    for (const edge of edgesOfNode[what.node]) mark(edgeShapes.get(keyOf(edge.a, edge.b)), "near");
    for (const members of Object.values(blanketOf(what.node))) {
      for (const one of members) {
        mark(nodeShapes.get(one.node), "near");
        mark(edgeShapes.get(keyOf(one.edge.a, one.edge.b)), "near");
      }
    }
  } else {
    mark(edgeShapes.get(what.edge), "chosen");
    for (const k of what.edge.split("-").map(Number)) mark(nodeShapes.get(k), "near");
  }
}

function mark(group, name) {
  if (!group) return;
  group.classList.add(name);
  marked.push(group);
}
