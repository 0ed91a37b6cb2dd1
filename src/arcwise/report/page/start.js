// Everything is put in its place.

const panel = byId("panel");

function overview() {
  const words = page.status === "unanswered"
    ? "The run was stopped before it had found anything."
    : "Select a column to see its Markov blanket, its values and what they depend on. Select an edge to see how strong it is, and the two columns together.";
  return [make("h2", {}, "Nothing selected"), make("p", {}, words)];
}

function fillPanel(what) {
  let children;
  if (!what) children = overview();
  else children = what.node !== undefined ? nodePanel(what.node) : edgePanel(what.edge);
  panel.classList.toggle("empty", !what);
  replaceContent(panel, ...children);
  panel.scrollTop = 0;
  byId("selected").textContent = panel.querySelector("h2").textContent; // for those who hear the page
}

// What the lines and shapes mean, and only of what occurs.
function legend() {
  const open = page.skeleton ? "joined, no direction" : "direction open: the data fit either";
  const kinds = { directed: "direction known", undirected: open, bidirected: "conflicting evidence of direction" };
  const there = (test) => page.edges.some(test);
  const lines = page.difference
    ? Object.keys(SAME).filter((kind) => there((edge) => edge.difference === kind)).map((kind) => [lineSample(kind), SAME[kind]])
    : Object.keys(kinds).filter((kind) => there((edge) => edge.kind === kind)).map((kind) => [lineSample(kind), kinds[kind]]);
  const shapes = { continuous: 9, discrete: 0 };
  const used = Object.keys(shapes).filter((kind) => page.columns.some((column) => column.kind === kind));
  const boxes = used.length < 2 ? [] : used.map((kind) => [boxSample(shapes[kind]), `${kind} column`]);
  const words = page.strength.words ? [[`Numbers${page.difference ? "" : " and width"}: ${page.strength.words}`]] : [];
  replaceContent(byId("legend"), ...[...lines, ...boxes, ...words].map((parts) => make("span", {}, ...parts)));
}

function boxSample(radius) {
  const box = shape("rect", { x: 1, y: 1, width: 32, height: 18, rx: radius, class: "box" });
  return shape("svg", { viewBox: "0 0 34 20", class: "sample", "aria-hidden": "true" }, box);
}

function startTheme() {
  const button = byId("theme");
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const set = (wanted) => {
    document.documentElement.dataset.theme = wanted ? "dark" : "light";
    button.setAttribute("aria-pressed", String(wanted));
  };
  set(dark.matches);
  dark.addEventListener("change", () => set(dark.matches));
  button.addEventListener("click", () => set(document.documentElement.dataset.theme !== "dark"));
}

function startPrint() {
  let closed = [];
  let seen = null;
  addEventListener("beforeprint", () => {
    seen = { ...view };
    showAll();
    closed = [...document.querySelectorAll("details:not([open]):not(.on-screen)")];
    for (const one of closed) one.open = true;
  });
  addEventListener("afterprint", () => {
    for (const one of closed) one.open = false;
    if (seen) show(seen);
  });
  byId("print").addEventListener("click", () => print());
}

function startSections() {
  const there = [...document.querySelectorAll("main > section")].filter((one) => !one.hidden);
  const links = there.map((one) => make("a", { href: `#${one.id}` }, one.querySelector("h2").textContent));
  replaceContent(byId("sections"), ...links);
}

byId("headline").textContent = page.headline;
startTheme();
startZoom();
startNetwork();
startSearch();
startLists();
startStrength();
startOrigin();
startPrint();
startSections();
legend();
onSelect(fillPanel);
select(page.target === null ? null : { node: page.target });
addEventListener("keydown", (event) => {
  if (event.key === "Escape" && selected && !event.defaultPrevented) select(null);
});
