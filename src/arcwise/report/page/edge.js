// The panel of one edge, or of a pair that is none: how strong, which way, and the picture of the two columns.

const MEANING = {
  directed: "The direction follows from the data, or from knowledge that was given.",
  undirected: page.skeleton ? "Directions were not looked for." : "The data fit either direction equally well.",
  bidirected: "The tests contradict each other about the direction.",
};

const DIFFERENCE = {
  same: "The other graph has the same edge.",
  added: "The other graph does not have this edge.",
  missing: "Only the other graph has this edge; it was not learned.",
  turned: "The other graph has this edge, but not with the same direction.",
};

function edgePanel(key) {
  const edge = edgeByKey.get(key) ?? pairWithoutEdge(key);
  return [
    make("h2", {}, nodeLink(edge.a), ` ${edge.kind ? MARKS[edge.kind] : "and"} `, nodeLink(edge.b)),
    make("p", {}, edgeWords(edge)),
    strengthPart(edge),
    part("Together", ...pairPicture(edge.a, edge.b)),
  ];
}

function pairWithoutEdge(key) {
  const [a, b] = key.split("-").map(Number);
  const found = page.others.find((one) => keyOf(one.a, one.b) === key);
  return found ?? { a, b, shares: null };
}

function edgeWords(edge) {
  if (!edge.kind) return "The network has no edge between these two columns.";
  const other = edge.difference ? DIFFERENCE[edge.difference] : "";
  const turned = edge.difference === "turned" ? ` There it is ${otherTitle(edge)}.` : "";
  return [edge.learned ? MEANING[edge.kind] : "", doubt(edge), `${other}${turned}`].filter(Boolean).join(" ");
}

// A direction that other graphs of the same data do not bear out.
function doubt(edge) {
  if (!edge.learned || edge.kind !== "directed" || !edge.shares) return "";
  const [, forward, backward] = edge.shares;
  if (backward > forward) return "But more of the graphs point the other way, so do not rely on it.";
  return forward < 0.5 ? "But less than half of the graphs agree, so do not rely on it." : "";
}

function otherTitle(edge) {
  const [kind, a, b] = edge.other;
  return `${names[a]} ${MARKS[kind]} ${names[b]}`;
}

function strengthPart(edge) {
  const known = edge.strength !== null && edge.strength !== undefined;
  if (!known && !edge.shares) return null;
  const line = known ? make("p", {}, make("strong", {}, strengthNumber(edge.strength)), strengthWords()) : null;
  return part("Strength", line, edge.shares ? shareOfDirections(edge) : null);
}

function strengthWords() {
  return page.strength.measure === "share" ? `, the ${page.strength.words}` : ` ${page.strength.words}`;
}

// One bar: a -> b, no direction, b -> a, no edge.
function shareOfDirections(edge) {
  const [share, forward, backward] = edge.shares;
  const pieces = [
    [`${names[edge.a]} → ${names[edge.b]}`, forward, DISTINCT[0]],
    ["no direction", Math.max(0, share - forward - backward), DISTINCT[4]],
    [`${names[edge.b]} → ${names[edge.a]}`, backward, DISTINCT[1]],
    ["no edge", Math.max(0, 1 - share), "#9aa3ad"],
  ];
  let x = SIDE;
  const rects = pieces.map(([text, size, colour]) => {
    const width = size * (WIDE - 2 * SIDE);
    const rect = shape("rect", { x, y: 2, width, height: 16, fill: colour }, shape("title", {}, `${text}: ${percent(size)}`));
    x += width;
    return rect;
  });
  const keys = pieces.filter(([, size]) => size > 1e-9)
    .map(([text, size, colour]) => make("li", {}, swatch(colour), `${text}: ${percent(size)}`));
  return make("div", {}, chart(20, "Shares of the directions", ...rects), make("ul", { class: "keys" }, ...keys));
}

function pairPicture(a, b) {
  const [one, other] = [page.columns[a], page.columns[b]];
  if (!page.pairs[keyOf(a, b)]) return [make("p", { class: "quiet" }, "The page has no picture of this pair.")];
  if (one.histogram && other.histogram) {
    const picture = scatter(a, b);
    const words = page.sample ? sampleWords() : "Counts of rows; the darker, the more.";
    const lines = one.histogram.marks.length + other.histogram.marks.length ? " Dashed lines are thresholds." : "";
    return [picture, make("p", { class: "quiet" }, words + lines), further(a, b)];
  }
  const [node, given] = one.histogram && !other.histogram ? [a, b] : [b, a];
  return [make("p", { class: "quiet" }, `${names[node]} for each group of ${names[given]}`), pictureGiven(node, given)];
}

function sampleWords() {
  const { rows } = page.sample;
  return rows === page.rows ? `All ${counted(rows, "row")}.` : `A sample of ${number(rows)} of the ${counted(page.rows, "row")}.`;
}

// What the scatter cannot show: the column at the head given groups of the other.
function further(a, b) {
  return make("details", {}, make("summary", {}, `${names[b]} for groups of ${names[a]}`), pictureGiven(b, a));
}
