// Lists of everything: edges, pairs that are no edges but nearly, columns, differences.

const SAME = { same: "in both", added: "only learned", missing: "only in the other graph", turned: "other direction, or open in one" };

function startLists() {
  fill("edges", ...edgeLists());
  fill("columns", columnList());
  if (page.difference) {
    byId("differences").hidden = false;
    fill("differences", ...differenceList());
  }
}

function fill(id, ...children) {
  replaceContent(byId(id).querySelector(":scope > div"), ...children);
}

function edgeLists() {
  if (!page.edges.length) return [make("p", {}, page.status === "unanswered" ? "There is no network." : "The network has no edges.")];
  const open = (edge) => ({ class: edge.difference ? edge.difference : null });
  const heads = [
    { title: "From", cell: (edge) => nodeLink(edge.a), key: (edge) => names[edge.a] },
    { title: "Edge", cell: (edge) => edgeLink(edge, MARKS[edge.kind]), key: (edge) => edge.kind },
    { title: "To", cell: (edge) => nodeLink(edge.b), key: (edge) => names[edge.b] },
  ];
  if (strengths.length) {
    heads.push({ title: page.strength.measure === "share" ? "Share" : "Nats", number: true, key: (edge) => edge.strength,
      cell: (edge) => strengthNumber(edge.strength) });
  }
  if (page.edges.some((edge) => edge.shares)) {
    heads.push({ title: "This way", number: true, cell: (edge) => edge.shares ? percent(edge.shares[1]) : "", key: (edge) => edge.shares?.[1] });
    heads.push({ title: "Other way", number: true, cell: (edge) => edge.shares ? percent(edge.shares[2]) : "", key: (edge) => edge.shares?.[2] });
  }
  if (page.difference) heads.push({ title: "Other graph", cell: (edge) => SAME[edge.difference], key: (edge) => edge.difference });
  const options = { text: edgeTitle, noun: "edge", looks: open, first: strengths.length ? 3 : 0, down: strengths.length > 0 };
  const table = sortable(heads, () => page.edges.filter(isShown), options);
  leastWatchers.push(table.refresh);
  const words = page.strength.words ? [make("p", { class: "quiet" }, `${page.strength.measure === "share" ? "Share" : "Nats"}: ${page.strength.words}.`)] : [];
  return [...words, table, ...otherList()];
}

// Pairs that the network does not join, found at least as often as the slider says.
function otherList() {
  if (!page.others.length) return [];
  const heads = [
    { title: "Column", cell: (one) => nodeLink(one.a), key: (one) => names[one.a] },
    { title: "Column", cell: (one) => nodeLink(one.b), key: (one) => names[one.b] },
    { title: "Share", number: true, cell: (one) => edgeOfPair(one), key: (one) => one.shares[0] },
  ];
  const often = () => page.others.filter((one) => one.shares[0] >= least);
  const table = sortable(heads, often, { text: (one) => `${names[one.a]} ${names[one.b]}`, noun: "pair", first: 2, down: true });
  leastWatchers.push(table.refresh);
  return [make("h3", {}, "Not in the network, but found in some graphs"), table];
}

function edgeOfPair(one) {
  const looks = { type: "button", class: "link", "aria-label": `${names[one.a]} and ${names[one.b]}: ${percent(one.shares[0])}` };
  return make("button", { ...looks, click: opening({ edge: keyOf(one.a, one.b) }) }, percent(one.shares[0]));
}

function columnList() {
  const all = names.map((_, k) => k);
  const heads = [
    { title: "Column", cell: nodeLink, key: (k) => names[k] },
    { title: "Kind", cell: (k) => page.columns[k].shown + (page.columns[k].doubtful ? "?" : ""), key: (k) => page.columns[k].shown },
    { title: "Values", cell: (k) => columnValues(page.columns[k]), key: (k) => page.columns[k].distinct },
  ];
  if (page.columns.some((one) => one.cuts.length)) {
    heads.push({ title: "Thresholds", cell: (k) => page.columns[k].cuts.join(", "), key: (k) => page.columns[k].cuts.length });
  }
  if (page.columns.some((one) => one.missing)) {
    heads.push({ title: "Missing", number: true, cell: (k) => page.columns[k].missing ? number(page.columns[k].missing) : "", key: (k) => page.columns[k].missing });
  }
  heads.push({ title: "Edges", number: true, cell: (k) => number(learnedEdges(k).length), key: (k) => learnedEdges(k).length });
  return sortable(heads, () => all, { text: (k) => names[k], noun: "column" });
}

function columnValues(column) {
  if (column.kind === "continuous") return valuesText(column);
  const there = column.labels.filter((_, k) => column.counts[k]);
  const some = there.slice(0, 4).map((label) => shortened(label, 20)).join(", ");
  const more = there.length > 4 ? ", …" : "";
  return column.distinct > Math.min(there.length, 4) ? `${some}${more} (${counted(column.distinct, "level")})` : some;
}

function differenceList() {
  const found = page.difference;
  const line = (kind, words) => make("li", { class: kind }, lineSample(kind), make("strong", {}, number(found[kind])), ` ${words}`);
  return [
    make("ul", { class: "differences" },
      line("same", "in both graphs"),
      line("turned", "in both, but not with the same direction"),
      line("added", "only in the learned graph"),
      line("missing", "only in the other graph")),
    make("p", {}, make("strong", {}, number(found.shd)), ` is the structural Hamming distance: the number of pairs whose edges differ${found.skeleton ? ", directions left aside, as none were learned" : ""}.`),
  ];
}

function lineSample(kind) {
  const heads = { directed: ["27,1 34,5 27,9"], bidirected: ["27,1 34,5 27,9", "7,1 0,5 7,9"] }[kind] ?? [];
  const line = shape("line", { x1: heads[1] ? 6 : 1, x2: heads[0] ? 28 : 33, y1: 5, y2: 5, class: `drawn ${kind}` });
  const ends = heads.map((points) => shape("polygon", { points, class: `head ${kind}` }));
  return shape("svg", { viewBox: "0 0 34 10", class: "sample", "aria-hidden": "true" }, line, ...ends);
}
