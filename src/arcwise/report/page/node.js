// The panel of one column: what it is, its blanket, its values, and how they depend on each parent.

const ROLES = {
  parents: "Parents",
  children: "Children",
  undirected: "Neighbours without a direction",
  conflicts: "Neighbours with conflicting evidence of direction",
  spouses: "Other parents of its children",
};

// What a link does: it opens a column or an edge, and takes readers of a table further down to it.
function opening(what) {
  return (event) => {
    const far = !byId("network").contains(event.currentTarget);
    select(what);
    if (what.node !== undefined) bringIntoView(nodeShapes.get(what.node));
    if (far) byId(innerWidth > 900 ? "network" : "panel").scrollIntoView();
    byId("panel").focus({ preventScroll: true }); // the link itself may be gone
  };
}

function nodeLink(k) {
  return make("button", { type: "button", class: "link", click: opening({ node: k }) }, names[k]);
}

function edgeLink(edge, text) {
  const looks = { type: "button", class: "link edge-link", "aria-label": `Edge ${edgeTitle(edge)}` };
  return make("button", { ...looks, click: opening({ edge: keyOf(edge.a, edge.b) }) }, text);
}

function nodePanel(k) {
  const roles = blanketOf(k);
  const above = [...roles.parents, ...roles.undirected, ...roles.conflicts];
  return [
    make("h2", {}, names[k]),
    nodeFacts(k),
    blanketPart(roles),
    valuesPart(k),
    ...above.map((one) => part(`Given ${names[one.node]}`, pictureGiven(k, one.node))),
  ];
}

function nodeFacts(k) {
  const column = page.columns[k];
  const why = [column.reason, column.doubtful ? "not certain" : ""].filter(Boolean).join("; ");
  const kind = why ? `${column.shown} (${why})` : column.shown;
  const cuts = column.cut && column.kind === "continuous"
    ? column.cuts.join(", ") || "none: all values are one level" : "";
  return facts([
    ["Kind", kind],
    ["Values", valuesText(column)],
    ["Thresholds", cuts],
    ["Missing", column.missing ? `${counted(column.missing, "cell")} of ${number(page.rows)}` : ""],
  ]);
}

function valuesText(column) {
  if (column.kind === "discrete") return `${counted(column.distinct, "level")}`;
  if (!column.range) return "none recorded";
  const [low, middle, high] = column.range;
  return low === high ? `always ${low}` : `${low} to ${high}, median ${middle}`;
}

function blanketPart(roles) {
  const lists = Object.entries(roles).filter(([, members]) => members.length).map(([role, members]) => {
    const items = members.map((one) => {
      const through = one.child === undefined ? "" : ` through ${names[one.child]}`;
      const tie = strengthText(one.edge.strength) || "edge";
      return make("li", {}, nodeLink(one.node), through, " ", one.child === undefined ? edgeLink(one.edge, tie) : null);
    });
    return make("div", {}, page.skeleton ? null : make("h4", {}, ROLES[role]), make("ul", { class: "members" }, ...items));
  });
  if (!lists.length) return part("Markov blanket", make("p", {}, "No edge joins this column to another."));
  if (page.skeleton) return part("Neighbours", ...lists);
  return part("Markov blanket", make("p", { class: "quiet" }, "Once these columns are known, no other column says more about this one."), ...lists);
}

function valuesPart(k) {
  const column = page.columns[k];
  if (!sum(column.counts)) return part("Values", make("p", {}, "No value is recorded."));
  const beyond = column.histogram ? column.histogram.beyond : 0;
  const words = [
    column.histogram && column.histogram.marks.length ? "Dashed lines are the thresholds of the network." : "",
    beyond ? `${counted(beyond, "row")} beyond the ends ${beyond === 1 ? "is" : "are"} not shown.` : "",
  ].filter(Boolean).join(" ");
  return part("Values", histogramChart(k), words ? make("p", { class: "quiet" }, words) : null);
}
