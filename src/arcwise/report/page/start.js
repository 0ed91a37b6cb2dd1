// Everything is put in its place.

const panel = byId("panel");

function overview() {
  const words = page.status === "unanswered"
    ? "The run was stopped before it had found anything."
    : "Select a column to see its blanket, its values and what they depend on. Select an edge to see how strong it is, and the two columns together.";
  return [make("h2", {}, "Nothing selected"), make("p", {}, words)];
}

function fillPanel(what) {
  let children;
  if (!what) children = overview();
  else children = what.node !== undefined ? nodePanel(what.node) : edgePanel(what.edge);
  replaceContent(panel, ...children);
  panel.scrollTop = 0;
}

function legend() {
  const kinds = { directed: "direction known", undirected: "either direction fits", bidirected: "contradicting directions" };
  const used = Object.keys(kinds).filter((kind) => page.edges.some((edge) => edge.kind === kind));
  const items = used.map((kind) => make("span", {}, `${MARKS[kind]} ${kinds[kind]}`));
  const changes = page.difference ? Object.keys(SAME).map((kind) => make("span", {}, lineSample(kind), SAME[kind])) : [];
  const words = page.strength.words ? [make("span", {}, `Width: ${page.strength.words}`)] : [];
  replaceContent(byId("legend"), ...items, ...changes, ...words);
}

function startTheme() {
  const button = byId("theme");
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const set = (wanted) => {
    document.documentElement.dataset.theme = wanted ? "dark" : "light";
    button.setAttribute("aria-pressed", String(wanted));
    button.textContent = wanted ? "Light" : "Dark";
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
select(null);
addEventListener("keydown", (event) => {
  if (event.key === "Escape" && selected && !event.defaultPrevented) select(null);
});
