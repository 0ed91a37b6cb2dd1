// The slider: edges that are weaker than it says vanish.

const strengths = page.edges.map((edge) => edge.strength).filter((one) => one !== null && one !== undefined);
const strongest = Math.max(...strengths, 0);
const weakest = Math.min(...strengths, 0); // a score may be better off without an edge that was required
let least = weakest;
const leastWatchers = [];

// Shares go up evenly; nats span orders of magnitude, so most of the slider is for the weak edges.
function leastAt(place) {
  if (!place) return weakest;
  return page.strength.measure === "share" ? Math.round(place * 100) / 100 : strongest * place ** 4;
}

function isShown(edge) {
  return edge.strength === null || edge.strength === undefined || edge.strength >= least - 1e-12;
}

function startStrength() {
  if (!strengths.length) return;
  const field = byId("strength");
  byId("slider").hidden = false;
  byId("strength-label").textContent = page.strength.measure === "share" ? "Edges found in at least" : "Edges of at least";
  field.addEventListener("input", () => {
    least = leastAt(field.value / field.max);
    refreshStrength();
  });
  refreshStrength();
}

function refreshStrength() {
  let shown = 0;
  for (const edge of page.edges) {
    const strong = isShown(edge);
    if (strong && edge.learned) shown += 1;
    const group = edgeShapes.get(keyOf(edge.a, edge.b));
    if (group) group.classList.toggle("weak", !strong);
  }
  const total = page.edges.filter((edge) => edge.learned).length;
  const text = `${strengthText(least)}: ${number(shown)} of ${counted(total, "edge")}`;
  byId("strength-value").textContent = text;
  byId("strength").setAttribute("aria-valuetext", text);
  for (const watcher of leastWatchers) watcher();
}
