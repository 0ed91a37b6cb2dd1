// Numbers in words: three digits that matter, and separators in large ones.

const MARKS = { directed: "→", undirected: "—", bidirected: "↔" };

function number(x) {
  if (x === null || x === undefined) return "";
  if (Number.isInteger(x) && Math.abs(x) < 1e6) return x.toLocaleString("en-US");
  const size = Math.abs(x);
  if (size !== 0 && (size < 1e-4 || size >= 1e6)) return x.toExponential(2);
  return Number(x.toPrecision(size >= 1000 ? 6 : 3)).toLocaleString("en-US", { maximumFractionDigits: 10 });
}

function counted(n, noun) {
  return `${n.toLocaleString("en-US")} ${noun}${n === 1 ? "" : "s"}`;
}

function percent(share) {
  if (share > 0 && share < 0.005) return "<1%";
  if (share < 1 && share > 0.995) return ">99%";
  return `${Math.round(100 * share)}%`;
}

// A strength as it is written at the edges of the drawing.
function strengthNumber(strength) {
  if (strength === null || strength === undefined) return "";
  if (page.strength.measure === "share") return percent(strength);
  return number(strength >= 999.5 ? Math.round(strength) : strength);
}

function strengthText(strength) {
  const text = strengthNumber(strength);
  return text && page.strength.measure === "nats" ? `${text} nats` : text;
}

function edgeTitle(edge) {
  return `${names[edge.a]} ${MARKS[edge.kind]} ${names[edge.b]}`;
}

// A name that fits into a picture; the whole name stands beside it as a tooltip.
function shortened(text, most) {
  return [...text].length <= most ? text : `${[...text].slice(0, most - 1).join("")}…`;
}

function sum(counts) {
  return counts.reduce((total, count) => total + count, 0);
}
