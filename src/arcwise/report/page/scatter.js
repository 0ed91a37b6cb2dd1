// Two continuous columns: points of a few rows, or where the page has no rows, a map of counts.

const HIGH = 300;

function scatter(across, up) {
  const [x, y] = [page.columns[across].histogram, page.columns[up].histogram];
  if (!x || !y) return null;
  const inside = page.sample ? points(across, up) : cells(across, up);
  if (!inside) return null;
  const at = (place) => SIDE + place * (WIDE - 2 * SIDE);
  const upTo = (place) => HIGH - place * HIGH + 22;
  const frame = shape("rect", { x: SIDE, y: 22, width: WIDE - 2 * SIDE, height: HIGH, class: "frame" });
  const lines = [
    ...x.marks.map(([, place]) => shape("line", { x1: at(place), x2: at(place), y1: 22, y2: 22 + HIGH, class: thresholdClass(x.marks) })),
    ...y.marks.map(([, place]) => shape("line", { x1: SIDE, x2: WIDE - SIDE, y1: upTo(place), y2: upTo(place), class: thresholdClass(y.marks) })),
  ];
  const [low, high] = [y.ends[0], y.ends[y.ends.length - 1]];
  return chart(
    HIGH + 60, `${names[up]} against ${names[across]}`,
    frame, ...inside, ...lines,
    letters(SIDE, 13, `↑ ${shortened(names[up], 30)}: ${low[0]} to ${high[0]}`, {}),
    ...axis(x.ends, HIGH + 36),
    letters(WIDE / 2, HIGH + 52, `${shortened(names[across], 40)} →`, { "text-anchor": "middle" }),
  );
}

function points(across, up) {
  const { steps, places } = page.sample;
  const [xs, ys] = [places[across], places[up]];
  if (!xs || !ys) return null;
  return xs.flatMap((x, k) => {
    if (x === null || ys[k] === null) return [];
    const at = { cx: SIDE + (x / steps) * (WIDE - 2 * SIDE), cy: 22 + (1 - ys[k] / steps) * HIGH };
    return [shape("circle", { cx: at.cx.toFixed(1), cy: at.cy.toFixed(1), r: 2.6, class: "point" })];
  });
}

function cells(across, up) {
  const pair = page.pairs[keyOf(across, up)];
  if (!pair || !pair.map) return null;
  const [x, y] = across < up ? [0, 1] : [1, 0]; // the column with the smaller position comes first in the lists
  const [wide, high] = [pair.steps[x] * (WIDE - 2 * SIDE), pair.steps[y] * HIGH];
  const most = Math.max(...pair.map);
  return pair.map.flatMap((count, k) => {
    if (!count) return [];
    const at = [Math.floor(k / pair.sizes[1]), k % pair.sizes[1]];
    const [left, low] = [at[x] * wide, at[y] * high];
    const [width, height] = [Math.min(wide, WIDE - 2 * SIDE - left), Math.min(high, HIGH - low)];
    const looks = { x: SIDE + left, y: 22 + HIGH - low - height, width, height, "fill-opacity": Math.sqrt(count / most).toFixed(3) };
    return [shape("rect", { ...looks, class: "bar" }, shape("title", {}, counted(count, "row")))];
  });
}
