// Where the result comes from: checks, steps, options, the command; and what it does not say.

function startOrigin() {
  fill("limits", ...page.limits.map(([head, text]) => make("div", { class: "limit" }, make("h3", {}, head), make("p", {}, ...withOptions(text)))));
  fill("checks", ...checkList());
  fill("origin", ...originList());
  byId("footer").textContent = contents();
}

// Options of the command line are not torn apart at the end of a line.
function withOptions(text) {
  return text.split(/(--[a-z-]+(?: [0-9]+)?)/).map((piece) => piece.startsWith("--") ? make("code", {}, piece) : piece);
}

function checkList() {
  const { findings, warnings, left_out: left } = page.checks;
  const unsure = names.map((_, k) => k).filter((k) => page.columns[k].doubtful);
  const list = [];
  if (left.length) list.push(make("h3", {}, "Left out"), make("ul", {}, ...left.map((text) => make("li", {}, text))));
  for (const severity of new Set(findings.map((one) => one[1]))) {
    const items = findings.filter((one) => one[1] === severity).map(finding);
    list.push(make("h3", {}, severity[0].toUpperCase() + severity.slice(1)), make("ul", {}, ...items));
  }
  if (unsure.length) {
    const items = unsure.map((k) => make("li", {}, nodeLink(k), `: read as ${page.columns[k].shown} (${page.columns[k].reason})`));
    list.push(make("h3", {}, "Numbers or levels? Not certain"), make("ul", {}, ...items));
  }
  if (warnings.length) {
    list.push(make("h3", {}, "Said when it was read and learned from"), make("ul", {}, ...warnings.map((text) => make("li", {}, text))));
  }
  return list.length ? list : [make("p", {}, "Nothing about the table looked doubtful.")];
}

function finding([column, , evidence, proposal]) {
  const where = column === null ? [] : [nodeLink(column), ": "];
  return make("li", {}, ...where, evidence, proposal ? make("span", { class: "quiet" }, ` – ${proposal}`) : null);
}

function originList() {
  const { facts: own, command, exact, versions, options, trace } = page.origin;
  const list = [facts(own)];
  if (command) list.push(make("h3", {}, exact ? "The command" : "To learn it again"), make("pre", { tabindex: "0" }, command));
  if (command && !exact) {
    list.push(make("p", { class: "quiet" }, command.includes(" RECIPE") ? "Put the name of the table for DATA, and that of its recipe for RECIPE." : "Put the name of the table for DATA."));
  }
  if (versions.length) list.push(make("h3", {}, "Versions"), facts(versions));
  if (trace.steps.length) list.push(...steps(trace));
  if (options.length) {
    list.push(make("details", {}, make("summary", {}, `Options (${options.length})`), facts(options)));
  }
  return list;
}

function steps(trace) {
  const scored = trace.points.length > 0;
  const picture = lineChart(trace.points.map(([k, phase, score]) => [k, score, phase]), 120, "Score after each step");
  const heads = ["Phase", "Step", "What was done", scored ? "Score" : "Number"].map((text) => make("th", { scope: "col" }, text));
  const lines = trace.steps.map(([phase, step, action, score]) =>
    make("tr", {}, ...[phase, number(step), action, number(score)].map((text) => make("td", {}, text))));
  const left = trace.left_out ? make("p", { class: "quiet" }, `${counted(trace.left_out, "step")} in the middle left out.`) : null;
  const table = make("div", { class: "wide" }, make("table", {}, make("thead", {}, make("tr", {}, ...heads)), make("tbody", {}, ...lines)));
  const many = `Steps (${number(trace.steps.length + trace.left_out)})`;
  return [
    make("h3", {}, picture ? "The score of the network, step by step" : "Step by step"),
    picture,
    make("details", { class: "on-screen" }, make("summary", {}, many), left, table),
  ];
}

function contents() {
  const rows = page.sample
    ? `the values of ${counted(page.sample.rows, "row")}, rounded, for the scatters`
    : "no row";
  const values = "counts, the smallest, middle and largest value of each column, what the check quotes";
  return `This page was written by arcwise. It is complete in itself and loads nothing. Of the table it contains ${values}, and ${rows}.`;
}
