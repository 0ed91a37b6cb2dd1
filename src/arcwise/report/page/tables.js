// Tables that can be sorted by a click on a heading and filtered by a word.

// heads: {title, cell(row) -> text or element, key(row) -> what to sort by, number: aligned to the right}.
// The table has a `refresh`, which asks `rows` again.
function sortable(heads, rows, options = {}) {
  const body = make("tbody");
  let order = { head: options.first ?? -1, down: options.down ?? false };
  let word = "";

  const buttons = heads.map((head, k) =>
    make("button", { type: "button", click: () => sortBy(k) }, head.title));
  const cells = heads.map((head, k) =>
    make("th", { scope: "col", class: head.number ? "number" : null }, buttons[k]));

  function sortBy(k) {
    order = { head: k, down: order.head === k ? !order.down : Boolean(heads[k].number) };
    refresh();
  }

  function refresh() {
    let shown = rows().filter((row) => !word || options.text(row).toLowerCase().includes(word));
    if (order.head >= 0) {
      const key = heads[order.head].key;
      shown = shown.slice().sort((x, y) => compare(key(x), key(y), order.down));
    }
    cells.forEach((cell, k) => {
      if (k !== order.head) cell.removeAttribute("aria-sort");
      else cell.setAttribute("aria-sort", order.down ? "descending" : "ascending");
    });
    body.replaceChildren(...shown.map(line));
    if (count) count.textContent = `${shown.length.toLocaleString("en-US")} of ${counted(rows().length, options.noun)}`;
  }

  function line(row) {
    const looks = options.looks ? options.looks(row) : {};
    return make("tr", looks, ...heads.map((head) => make("td", { class: head.number ? "number" : null }, head.cell(row) ?? "")));
  }

  const count = options.noun ? make("span", { class: "quiet", role: "status" }) : null;
  const filter = options.text ? make("label", { class: "filter controls" }, "Filter ", make("input", { type: "search", input: narrow })) : null;
  function narrow(event) {
    word = event.target.value.trim().toLowerCase();
    refresh();
  }

  const table = make("table", { class: "sortable" }, make("thead", {}, make("tr", {}, ...cells)), body);
  const whole = make("div", {}, make("div", { class: "above" }, filter, count), make("div", { class: "wide" }, table));
  refresh();
  whole.refresh = refresh;
  return whole;
}

// Nothing comes last, whichever way.
function compare(x, y, down) {
  const [noX, noY] = [x, y].map((one) => one === null || one === undefined);
  if (noX || noY) return noX - noY;
  const order = typeof x === "number" ? x - y : String(x).localeCompare(String(y), "en");
  return down ? -order : order;
}
