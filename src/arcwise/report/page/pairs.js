// One column given another: histograms below each other, bars of shares, and the same as a table.

// The counts of `node` (its bins, or its levels) for each group of `given`; null where the page has none.
function countsGiven(node, given, what) {
  const pair = page.pairs[keyOf(node, given)];
  if (!pair) return null;
  const rows = page.columns[given].labels.length;
  const inner = page.columns[node];
  if (what === "bins") {
    const list = node < given ? pair.a : pair.b;
    const size = inner.histogram ? inner.histogram.counts.length : 0;
    return list ? Array.from({ length: rows }, (_, k) => list.slice(k * size, (k + 1) * size)) : null;
  }
  const size = inner.labels.length;
  if (given < node) return Array.from({ length: rows }, (_, k) => pair.groups.slice(k * size, (k + 1) * size));
  return Array.from({ length: rows }, (_, k) => Array.from({ length: size }, (_, m) => pair.groups[m * rows + k]));
}

// A histogram of a continuous column for each group of another, all on one axis.
function ridges(node, given) {
  const counts = countsGiven(node, given, "bins");
  const { histogram } = page.columns[node];
  if (!counts || !histogram) return null;
  const { labels, cut } = page.columns[given];
  const shades = colours(labels.length, cut || page.columns[given].kind === "continuous");
  const tall = labels.length > 8 ? 26 : 38;
  const step = tall + 20;
  const shown = labels.map((label, k) => ({ label, k, total: sum(counts[k]) })).filter((one) => one.total);
  const rows = shown.flatMap(({ k }, row) => {
    const base = (row + 1) * step;
    const line = shape("line", { x1: SIDE, x2: WIDE - SIDE, y1: base, y2: base, class: "axis" });
    return [...bars(counts[k], base, tall, Math.max(...counts[k]), { fill: shades[k] }), line];
  });
  const words = shown.flatMap(({ label, total }, row) => {
    const base = (row + 1) * step - tall - 5;
    const size = letters(WIDE - SIDE, base, counted(total, "row"), { class: "small", "text-anchor": "end" });
    return [letters(SIDE, base, shortened(label, 36), {}), size];
  });
  const base = shown.length * step;
  const title = `${names[node]} for each group of ${names[given]}`;
  return chart(base + 18, title, ...rows, ...thresholdLines(histogram.marks, 4, base), ...words, ...axis(histogram.ends, base + 14));
}

// For each group of `given` one bar, divided by the levels of `node`.
function shareBars(node, given) {
  const counts = countsGiven(node, given, "groups");
  if (!counts) return null;
  const { labels } = page.columns[node];
  const shades = colours(labels.length, page.columns[node].cut || page.columns[node].kind === "continuous");
  const groups = page.columns[given].labels.map((label, k) => ({ label, counts: counts[k], total: sum(counts[k]) }));
  const rows = groups.filter((one) => one.total).flatMap(({ label, counts: own, total }, row) => {
    const y = 40 * row;
    let x = SIDE;
    const pieces = own.map((count, k) => {
      const width = ((WIDE - 2 * SIDE) * count) / total;
      const piece = shape("rect", { x, y: y + 18, width, height: 14, fill: shades[k] }, shape("title", {}, `${labels[k]}: ${percent(count / total)}`));
      x += width;
      return piece;
    });
    return [
      letters(SIDE, y + 13, shortened(label, 36), {}),
      letters(WIDE - SIDE, y + 13, counted(total, "row"), { class: "small", "text-anchor": "end" }),
      ...pieces,
    ];
  });
  const height = 40 * Math.max(groups.filter((one) => one.total).length, 1);
  const title = `Shares of the levels of ${names[node]} for each group of ${names[given]}`;
  const keys = labels.map((label, k) => make("li", {}, swatch(shades[k]), label));
  return make("div", {}, chart(height, title, ...rows), make("ul", { class: "keys" }, ...keys));
}

function swatch(colour) {
  return shape("svg", { viewBox: "0 0 10 10", class: "swatch", "aria-hidden": "true" }, shape("rect", { width: 10, height: 10, rx: 2, fill: colour }));
}

// The conditional table: a line for each group of `given`, the shares of the levels of `node` in it.
function shareTable(node, given) {
  const counts = countsGiven(node, given, "groups");
  if (!counts) return null;
  const head = [make("th", { scope: "col" }, names[given]), ...page.columns[node].labels.map((label) => make("th", { scope: "col" }, label)), make("th", { scope: "col" }, "rows")];
  const lines = page.columns[given].labels.map((label, k) => {
    const total = sum(counts[k]);
    const cells = counts[k].map((count) => make("td", {}, total ? percent(count / total) : "–"));
    return make("tr", {}, make("th", { scope: "row" }, label), ...cells, make("td", {}, number(total)));
  });
  const title = make("caption", {}, `Shares of ${names[node]} in each line`);
  return make("div", { class: "wide" }, make("table", { class: "shares" }, title, make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...lines)));
}

// The best picture of `node` given another column, with the table where there are levels.
function pictureGiven(node, given) {
  const column = page.columns[node];
  const picture = column.histogram ? ridges(node, given) : shareBars(node, given);
  if (!picture) return make("p", { class: "quiet" }, "The page has no counts of these two together.");
  const table = column.cut || column.kind === "discrete" ? shareTable(node, given) : null;
  return make("div", {}, picture, joinedWords([given, node]), table ? make("details", {}, make("summary", {}, "As a table"), table) : null);
}

// Of a column that was cut into very many levels, the page has neighbours together.
function joinedWords(nodes) {
  const many = nodes.filter((k) => page.columns[k].cuts.length >= page.columns[k].labels.length);
  const words = many.map((k) => `${names[k]} has ${counted(page.columns[k].cuts.length + 1, "level")}; neighbouring ones are shown as one.`);
  return words.length ? make("p", { class: "quiet" }, words.join(" ")) : null;
}
