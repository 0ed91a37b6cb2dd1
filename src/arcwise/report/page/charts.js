// Small charts of counts, as SVG of a fixed width that grows with the page.

const WIDE = 380;
const SIDE = 4;
const DISTINCT = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#b8a900", "#7a6fd0"];
const RAMP = [[92, 84, 176], [58, 116, 168], [33, 145, 140], [74, 185, 107], [180, 208, 50], [245, 210, 60]];

// Levels in an order have colours in an order, others are as different as can be.
function colours(n, ordered) {
  if (!ordered && n <= DISTINCT.length) return DISTINCT.slice(0, n);
  return Array.from({ length: n }, (_, k) => {
    const place = n === 1 ? 1 : (k * (RAMP.length - 1)) / (n - 1);
    const low = Math.min(Math.floor(place), RAMP.length - 2);
    const mixed = RAMP[low].map((from, c) => Math.round(from + (RAMP[low + 1][c] - from) * (place - low)));
    return `rgb(${mixed.join(",")})`;
  });
}

function chart(height, label, ...children) {
  const size = { viewBox: `0 0 ${WIDE} ${height}`, role: "img", class: "chart", "aria-label": label };
  return shape("svg", size, ...children);
}

function letters(x, y, text, looks = {}) {
  return shape("text", { x, y, ...looks }, text);
}

// Bars from left to right on a base line; `most` is the count of a bar of the whole height.
function bars(counts, base, height, most, looks = { class: "bar" }) {
  const step = (WIDE - 2 * SIDE) / counts.length;
  return counts.map((count, k) => {
    const tall = most ? (height * count) / most : 0;
    const gap = step > 6 ? 1 : 0;
    return shape("rect", { x: SIDE + k * step, y: base - tall, width: step - gap, height: tall, ...looks });
  });
}

function axis(ends, base) {
  return ends.map(([text, place]) => {
    const x = SIDE + place * (WIDE - 2 * SIDE);
    const anchor = place === 0 ? "start" : place === 1 ? "end" : "middle";
    return letters(x, base, text, { class: "small", "text-anchor": anchor });
  });
}

function thresholdLines(marks, top, base) {
  return marks.map(([, place]) => {
    const x = SIDE + place * (WIDE - 2 * SIDE);
    return shape("line", { x1: x, x2: x, y1: top, y2: base, class: thresholdClass(marks) });
  });
}

// Many lines are drawn so faintly that they do not hide what they divide.
function thresholdClass(marks) {
  return marks.length > 8 ? "threshold many" : "threshold";
}

// Thresholds with their numbers, in two rows where they would touch.
function thresholdNumbers(marks, base) {
  let ends = [-Infinity, -Infinity];
  return marks.flatMap(([text, place]) => {
    const x = SIDE + place * (WIDE - 2 * SIDE);
    const half = 3.4 * text.length;
    const at = Math.min(Math.max(x, half), WIDE - half);
    const row = ends.findIndex((end) => at - half > end + 4);
    if (row < 0) return [];
    ends[row] = at + half;
    return [letters(at, base + 12 * row, text, { class: "small mark", "text-anchor": "middle" })];
  });
}

function histogramChart(node) {
  const { histogram, labels, counts, cut } = page.columns[node];
  const title = `How the values of ${names[node]} are spread`;
  if (!histogram) return levelBars(labels, counts, title, cut);
  const top = histogram.marks.length ? 30 : 6;
  const base = top + 90;
  return chart(
    base + 18, title,
    ...bars(histogram.counts, base, 90, Math.max(...histogram.counts)),
    shape("line", { x1: SIDE, x2: WIDE - SIDE, y1: base, y2: base, class: "axis" }),
    ...thresholdLines(histogram.marks, top - 4, base),
    ...thresholdNumbers(histogram.marks, 12),
    ...axis(histogram.ends, base + 14),
  );
}

// A bar to the right for each level, with its count.
function levelBars(labels, counts, title, ordered) {
  const most = Math.max(...counts, 1);
  const total = sum(counts) || 1;
  const shades = colours(labels.length, ordered);
  const rows = labels.flatMap((label, k) => {
    const y = 34 * k;
    const width = ((WIDE - 2 * SIDE) * counts[k]) / most;
    return [
      letters(SIDE, y + 13, shortened(label, 40), {}),
      letters(WIDE - SIDE, y + 13, `${number(counts[k])} (${percent(counts[k] / total)})`, { class: "small", "text-anchor": "end" }),
      shape("rect", { x: SIDE, y: y + 17, width: Math.max(width, 1), height: 9, rx: 2, fill: shades[k] }),
    ];
  });
  return chart(34 * Math.max(labels.length, 1), title, ...rows);
}

// A line through points [x, y], broken where y is null.
function lineChart(points, height, title) {
  const there = points.filter((point) => point[1] !== null);
  if (there.length < 2) return null;
  const xs = there.map((point) => point[0]);
  const ys = there.map((point) => point[1]);
  const [left, right, low, high] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const at = ([x, y]) => {
    const across = SIDE + ((x - left) / (right - left || 1)) * (WIDE - 2 * SIDE);
    return `${across.toFixed(1)} ${(16 + (1 - (y - low) / (high - low || 1)) * height).toFixed(1)}`;
  };
  let path = "";
  points.forEach((point, k) => {
    if (point[1] === null) return;
    const starts = k === 0 || points[k - 1][1] === null || points[k - 1][2] !== point[2];
    path += `${starts ? "M" : "L"}${at(point)}`;
  });
  return chart(
    height + 34, title,
    letters(SIDE, 11, number(high), { class: "small" }),
    shape("path", { d: path, class: "curve" }),
    letters(SIDE, height + 30, `${number(low)}  at step ${number(left)}`, { class: "small" }),
    letters(WIDE - SIDE, height + 30, `step ${number(right)}`, { class: "small", "text-anchor": "end" }),
  );
}
