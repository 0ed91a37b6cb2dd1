// What the page knows: columns by their position, edges by the positions of their ends, and who is next to whom.

const page = JSON.parse(byId("content").textContent);
const names = page.names;

function keyOf(a, b) {
  return a < b ? `${a}-${b}` : `${b}-${a}`;
}

const edgeByKey = new Map(page.edges.map((edge) => [keyOf(edge.a, edge.b), edge]));
const edgesOfNode = names.map(() => []);
for (const edge of page.edges) {
  edgesOfNode[edge.a].push(edge);
  edgesOfNode[edge.b].push(edge);
}

function otherEnd(edge, node) {
  return edge.a === node ? edge.b : edge.a;
}

function learnedEdges(node) {
  return edgesOfNode[node].filter((edge) => edge.learned);
}

// Whether an edge of the learned network may have its arrowhead at the node.
function pointsAt(edge, node) {
  return edge.learned && ((edge.kind === "directed" && edge.b === node) || edge.kind === "bidirected");
}

// The Markov blanket, by roles; each member is {node, edge}, of a spouse with the child that is shared.
function blanketOf(node) {
  const roles = { parents: [], children: [], undirected: [], conflicts: [], spouses: [] };
  for (const edge of learnedEdges(node)) {
    const other = otherEnd(edge, node);
    if (edge.kind === "undirected") roles.undirected.push({ node: other, edge });
    else if (edge.kind === "bidirected") roles.conflicts.push({ node: other, edge });
    else (edge.a === node ? roles.children : roles.parents).push({ node: other, edge });
  }
  for (const { node: child } of [...roles.children, ...roles.conflicts]) {
    for (const edge of edgesOfNode[child]) {
      const other = otherEnd(edge, child);
      const joined = edgeByKey.get(keyOf(other, node));
      if (pointsAt(edge, child) && other !== node && !(joined && joined.learned)) {
        roles.spouses.push({ node: other, edge, child });
      }
    }
  }
  const strength = (one) => one.edge.strength ?? 0;
  for (const role of Object.values(roles)) {
    role.sort((x, y) => strength(y) - strength(x) || (names[x.node] < names[y.node] ? -1 : 1));
  }
  return roles;
}

// One thing is selected at a time: {node: k}, {edge: "i-j"} or null. Those who watch are told.
let selected = null;
const watchers = [];

function onSelect(watcher) {
  watchers.push(watcher);
}

function select(what) {
  selected = what;
  for (const watcher of watchers) watcher(what);
}
