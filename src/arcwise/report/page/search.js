// Finding a column by a part of its name, with a list of matches that the arrows go through.

const MOST_MATCHES = 12;

function startSearch() {
  const field = byId("search");
  const list = byId("matches");
  let found = [];
  let at = -1;

  function look() {
    const word = field.value.trim().toLowerCase();
    found = word ? matches(word) : [];
    at = found.length ? 0 : -1;
    render(word);
  }

  function render(word) {
    const items = found.slice(0, MOST_MATCHES).map((k, place) =>
      make("li", { role: "option", id: `match-${k}`, "aria-selected": String(place === at), pointerdown: (event) => { event.preventDefault(); choose(k); } }, names[k]));
    const rest = found.length - items.length;
    if (rest > 0) items.push(make("li", { class: "quiet", "aria-disabled": "true" }, `and ${rest.toLocaleString("en-US")} more`));
    if (word && !found.length) items.push(make("li", { class: "quiet", "aria-disabled": "true" }, "No column has this in its name."));
    list.replaceChildren(...items);
    list.hidden = !items.length;
    field.setAttribute("aria-expanded", String(!list.hidden));
    if (at >= 0) field.setAttribute("aria-activedescendant", `match-${found[at]}`);
    else field.removeAttribute("aria-activedescendant");
  }

  function close() {
    found = [];
    at = -1;
    render("");
  }

  function choose(k) {
    field.value = names[k];
    close();
    select({ node: k });
    bringIntoView(nodeShapes.get(k));
  }

  function pressed(event) {
    const last = Math.min(found.length, MOST_MATCHES) - 1;
    if (event.key === "ArrowDown") at = Math.min(at + 1, last);
    else if (event.key === "ArrowUp") at = Math.max(at - 1, 0);
    else if (event.key === "Enter" && at >= 0) return choose(found[at]);
    else if (event.key === "Escape") { field.value = ""; return close(); }
    else return undefined;
    event.preventDefault();
    return render(field.value.trim());
  }

  field.addEventListener("input", look);
  field.addEventListener("keydown", pressed);
  field.addEventListener("blur", close);
}

// Names that begin with the word come first.
function matches(word) {
  const places = names.map((name, k) => [name.toLowerCase().indexOf(word), k]).filter(([place]) => place >= 0);
  return places.sort((x, y) => (x[0] > 0) - (y[0] > 0) || names[x[1]].localeCompare(names[y[1]], "en")).map(([, k]) => k);
}
