/* The page's script: decodes the embedded data, draws the chart with uPlot, links it with the tables. */
"use strict";
(() => {
  const doc = document;
  const byId = (id) => doc.getElementById(id);
  const raw = JSON.parse(byId("raw-data").textContent);
  const { timeline, series, words } = raw;

  /* Base64 of LEB128 zigzag deltas. */
  function column(text) {
    const bytes = atob(text);
    const out = new Array(series.n);
    for (let i = 0, at = 0, value = 0; i < series.n; i++) {
      let z = 0, scale = 1, byte;
      do {
        byte = bytes.charCodeAt(at++);
        z += (byte & 127) * scale;
        scale *= 128;
      } while (byte & 128);
      value += z % 2 ? -(z + 1) / 2 : z / 2;
      out[i] = value;
    }
    return out;
  }
  const milliseconds = (code) => (code > 0 ? 2 ** ((code - 1) / 128) / 1e6 : null);

  const x = column(series.end_ms).map((ms) => ms / 1000);
  const iops = column(series.iops);
  const latency = {};
  for (const q of ["p50", "p99", "p999", "max"])
    latency[q] = column(series["lat_" + q + "_code"]).map(milliseconds);
  const phase = series.phase.flatMap(([name, n]) => new Array(n).fill(name));

  /* --- saving ------------------------------------------------------------------------------- */

  function save(name, type, text) {
    const link = doc.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  }
  const us = (ms) => (ms === null ? "" : (ms * 1000).toFixed(1));
  function csv() {
    const lines = ["time_s,phase,iops,lat_p50_us,lat_p99_us,lat_p999_us,lat_max_us"];
    x.forEach((t, i) => lines.push([t, phase[i], iops[i], us(latency.p50[i]), us(latency.p99[i]),
      us(latency.p999[i]), us(latency.max[i])].join()));
    return lines.join("\n") + "\n";
  }
  const base = "volscale-run-" + timeline.run.id;
  doc.querySelector(".save").hidden = false;
  byId("save-json").addEventListener("click", () =>
    save(base + ".json", "application/json", JSON.stringify(timeline, null, 2) + "\n"));
  byId("save-csv").addEventListener("click", () => save(base + ".csv", "text/csv", csv()));

  if (typeof uPlot === "undefined" || x.length === 0) {
    doc.documentElement.classList.add("no-chart");
    return;
  }

  /* --- words and numbers -------------------------------------------------------------------- */

  const two = (n) => String(n).padStart(2, "0");
  function clock(s, digits = 0) {
    const scale = 10 ** digits, at = Math.round(s * scale), sec = Math.floor(at / scale);
    const h = Math.floor(sec / 3600), m = Math.floor(sec / 60) % 60;
    const part = digits ? "." + String(at % scale).padStart(digits, "0") : "";
    return (h ? h + ":" + two(m) : m) + ":" + two(sec % 60) + part;
  }
  /* Samples of less than a second need parts of one. */
  const parts = timeline.run.interval_s < 1 ? 1 : 0;
  const count = (v) => Math.round(v).toLocaleString("en-US");
  const started = Date.parse(timeline.run.started_at);
  function wall(s) {
    const at = new Date(started + s * 1000);
    const local = at.toLocaleTimeString([], { hour12: false, timeZoneName: "short" });
    return at.toISOString().slice(11, 19) + " UTC" + (at.getTimezoneOffset() ? ", " + local : "");
  }

  /* --- the data of the chart ---------------------------------------------------------------- */

  const loaded = (v, i) => (phase[i] === "idle" || phase[i] === "probe" ? null : v);
  const probed = (v, i) => (phase[i] === "probe" ? v : null);
  const load = iops.map(loaded);
  const probes = iops.map(probed);
  const hasProbes = probes.some((v) => v !== null);
  const idleFrom = phase.findIndex((name) => name === "idle" || name === "probe");
  const idleAt = idleFrom > 0 ? x[idleFrom - 1] : null;
  const hasLatency = latency.p50.some((v) => v !== null) || latency.p99.some((v) => v !== null);
  const end = Math.max(timeline.run.duration_s, x[x.length - 1]);

  const track = raw.control &&
    raw.observations.find((o) => o.source === raw.control[0] && o.name === raw.control[1]);
  const vpu = track && (() => {
    let k = -1;
    return x.map((t) => {
      while (k + 1 < track.at_s.length && track.at_s[k + 1] <= t) k++;
      return k < 0 ? null : track.value[k];
    });
  })();

  const block = timeline.run.workload.block_bytes;
  const seen = new Set(timeline.plateaus.flatMap((p) => p.tiers));
  const tiers = timeline.ladder.filter((t) => seen.has(t.tier)).map((t) => ({
    name: t.tier,
    iops: block && t.mbps !== null ? Math.min(t.iops ?? Infinity, t.mbps * 1e6 / block) : t.iops,
  })).filter((t) => t.iops !== null && isFinite(t.iops));
  const tierWord = /^oci/.test(timeline.provider.id || "") ? "VPU " : words.tier + " ";

  /* --- drawing ------------------------------------------------------------------------------ */

  const box = byId("chart"), holder = byId("plot"), readout = byId("readout");
  let plots = [], range = [0, end], busy = false, chosen = null;
  const color = (name) => getComputedStyle(doc.documentElement).getPropertyValue("--" + name).trim();

  function shade(u) {
    const { ctx } = u, { left, top, width, height } = u.bbox;
    ctx.save();
    ctx.beginPath();
    ctx.rect(left, top, width, height);
    ctx.clip();
    ctx.fillStyle = color("idle");
    for (let i = 0, t = 0; i < series.phase.length; i++) {
      const [name, n] = series.phase[i];
      if (name !== "load") {
        const a = u.valToPos(t ? x[t - 1] : 0, "x", true), b = u.valToPos(x[t + n - 1], "x", true);
        ctx.fillRect(a, top, b - a + 1, height);
      }
      t += n;
    }
    const band = (from, to, name, alpha) => {
      const a = u.valToPos(from, "x", true), b = u.valToPos(to, "x", true);
      ctx.globalAlpha = alpha;
      ctx.fillStyle = color(name);
      ctx.fillRect(a, top, Math.max(b - a, 2 * devicePixelRatio), height);
    };
    for (const dip of timeline.dips) band(dip.at_s, dip.at_s + dip.duration_s, "down", 0.22);
    if (chosen) band(chosen.at_low_s, chosen.at_high_s, "accent", 0.16);
    ctx.restore();
  }

  /* A line with what it is worth above it, readable over whatever is behind it. */
  function drawLevel(u, ratio, from, to, iops, text) {
    const { ctx } = u, { left, width } = u.bbox;
    const a = Math.max(u.valToPos(from, "x", true), left);
    const b = Math.min(u.valToPos(to, "x", true), left + width);
    if (b <= a) return;
    const y = u.valToPos(iops, "y", true);
    ctx.lineWidth = 2.5 * ratio;
    ctx.strokeStyle = color("level");
    ctx.beginPath();
    ctx.moveTo(a, y);
    ctx.lineTo(b, y);
    ctx.stroke();
    if (!text || b - a < 50 * ratio) return;
    ctx.lineWidth = 4 * ratio;
    ctx.lineJoin = "round";
    ctx.strokeStyle = color("card");
    ctx.strokeText(text, (a + b) / 2, y - 9 * ratio);
    ctx.fillText(text, (a + b) / 2, y - 9 * ratio);
  }

  function drawPlateaus(u, ratio) {
    const { ctx } = u, { pending } = timeline;
    ctx.fillStyle = color("ink");
    ctx.textAlign = "center";
    for (const p of timeline.plateaus) drawLevel(u, ratio, p.start_s, p.end_s, p.iops, count(p.iops));
    if (!pending) return;
    ctx.setLineDash([4 * ratio, 3 * ratio]);
    drawLevel(u, ratio, pending.start_s, end, pending.iops, null);
    ctx.setLineDash([]);
  }

  function overlay(u) {
    const ratio = devicePixelRatio, { ctx } = u, { left, top, width, height } = u.bbox;
    ctx.save();
    ctx.beginPath();
    ctx.rect(left, top, width, height);
    ctx.clip();
    ctx.setLineDash([]);
    ctx.font = 600 + " " + 11 * ratio + "px system-ui, sans-serif";
    drawPlateaus(u, ratio);
    ctx.restore();
    placeMarks(u);
  }

  /* Links from the chart to the step table, where there is room for them. */
  function placeMarks(u) {
    let last = -Infinity;
    for (const mark of u.over.querySelectorAll("a.mark")) {
      const at = u.valToPos(Number(mark.dataset.at), "x");
      const hidden = at < 0 || at > u.over.clientWidth || at - last < 20;
      mark.hidden = hidden;
      if (hidden) continue;
      last = at;
      mark.style.left = at + "px";
    }
  }
  function addMarks(u) {
    for (const step of timeline.steps) {
      const mark = doc.createElement("a");
      mark.className = "mark " + step.direction;
      mark.href = "#step-" + step.index;
      mark.dataset.at = step.at_s;
      mark.textContent = step.index;
      mark.setAttribute("aria-label", words.step + " " + step.index + ", " + clock(step.at_s));
      mark.addEventListener("mousedown", (e) => e.stopPropagation());
      u.over.append(mark);
    }
  }

  function tell(u) {
    const i = u.cursor.idx;
    if (i === null || i === undefined) return;
    const at = timeline.plateaus.find((p) => x[i] > p.start_s && x[i] <= p.end_s);
    const told = [clock(x[i], parts), wall(x[i]), phase[i] === "idle" ? words.idle : count(iops[i]) + " " + words.iops];
    if (latency.p99[i] !== null) told.push(words.p99 + " " + latency.p99[i].toFixed(2) + " ms");
    if (latency.p50[i] !== null) told.push(words.p50 + " " + latency.p50[i].toFixed(2) + " ms");
    if (vpu && vpu[i] !== null) told.push("VPU " + vpu[i]);
    if (at) told.push(words.plateau + " " + at.index + (at.tier ? " (" + tierWord + at.tier + ")" : ""));
    readout.textContent = told.join(" · ");
  }

  function follow(u, key) {
    if (busy || key !== "x") return;
    busy = true;
    range = [u.scales.x.min, u.scales.x.max];
    for (const other of plots)
      if (other !== u) other.setScale("x", { min: range[0], max: range[1] });
    holder.dataset.from = range[0];
    holder.dataset.to = range[1];
    busy = false;
  }

  function show(from, to) {
    const least = Math.min(end, 5 * (timeline.run.interval_s || 1));
    const span = Math.min(Math.max(to - from, least), end);
    const min = Math.min(Math.max(from, 0), end - span);
    for (const u of plots) u.setScale("x", { min, max: min + span });
  }

  const incrs = [0.1, 0.2, 0.5].slice(0, parts * 3).concat([1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400]);
  const top = (u, min, max) => [0, (max || 1) * 1.1];
  /* Samples are missing there: the line is broken. */
  const gaps = (u, s, from, to, nulls) => nulls.concat(series.gaps.filter((i) => i > from && i <= to)
    .map((i) => [u.valToPos(x[i - 1], "x", true), u.valToPos(x[i], "x", true)])).sort((a, b) => a[0] - b[0]);

  /* The promises of the tiers that were seen: lines across the chart, named at its right. */
  const rightAxis = (narrow) => ({ scale: "y", side: 1, size: narrow ? 46 : 62, gap: 4, font: "600 11px system-ui, sans-serif",
    ticks: { show: false }, stroke: color("ink"), grid: { stroke: color("muted"), width: 1, dash: [2, 4] },
    splits: (u, i, min, max) => tiers.map((t) => t.iops).filter((v) => v >= min && v <= max),
    values: (u, at) => {
      /* the lowest and the highest first, the others where there is room */
      const y = at.map((v) => u.valToPos(v, "y")), free = (k) => named.every((n) => Math.abs(y[n] - y[k]) >= 13);
      const named = [];
      for (const k of [0, at.length - 1, ...at.keys()]) if (k in y && free(k)) named.push(k);
      const text = (v) => (narrow ? "" : tierWord) + tiers.find((t) => t.iops === v).name;
      return at.map((v, k) => (named.includes(k) ? text(v) : ""));
    } });
  const vpuAxis = (narrow) => ({ scale: "vpu", side: 1, size: narrow ? 34 : 44, labelSize: 20, gap: 4,
    label: narrow ? null : words.vpu, stroke: color("vpu"), grid: { show: false } });

  function axes(label, format, extra) {
    const common = { stroke: color("muted"), grid: { stroke: color("rule"), width: 1 },
      ticks: { stroke: color("rule"), width: 1 }, font: "11px system-ui, sans-serif",
      labelFont: "12px system-ui, sans-serif" };
    return [
      { ...common, space: 64, incrs, values: (u, v, i, space, incr) => v.map((s) => clock(s, incr < 1 ? 1 : 0)) },
      { ...common, scale: "y", label, size: 66, labelSize: 20, values: (u, v) => v.map(format) },
    ].concat(extra.map((axis) => ({ ...common, ...axis })));
  }

  function build() {
    for (const u of plots) u.destroy();
    const width = Math.max(holder.clientWidth, 260), narrow = width < 520;
    const right = (tiers.length ? [rightAxis(narrow)] : []).concat(vpu ? [vpuAxis(narrow)] : []);
    const taken = right.reduce((sum, axis) => sum + axis.size + (axis.label ? axis.labelSize : 0), 0) || 24;
    const shared = {
      width, legend: { show: false }, padding: [10, tiers.length || vpu ? 0 : 24, 0, 0],
      cursor: { sync: { key: "volscale" }, drag: { x: true, y: false, dist: 4 }, points: { size: 6 } },
    };
    const scaleX = { time: false, min: range[0], max: range[1], range: (u, a, b) => (a === b ? [0, end] : [a, b]) };
    const line = (name, stroke, more) => ({ label: name, stroke: color(stroke), width: 1.2,
      scale: "y", points: { show: false }, gaps, ...more });
    plots = [
      new uPlot({ ...shared, height: narrow ? 280 : 360,
        scales: { x: { ...scaleX }, y: { range: top }, vpu: { range: [0, Math.max(130, ...(vpu || [0]))] } },
        series: [{}, line(words.iops, "iops"),
          line(words.probe, "iops", { paths: () => null, points: { show: true, size: 4, fill: color("iops") } }),
          line(words.vpu, "vpu", { scale: "vpu", width: 1.5, dash: [6, 3],
            paths: uPlot.paths.stepped({ align: 1 }) })],
        axes: axes(narrow ? null : words.iops, count, right),
        hooks: { drawClear: [shade], draw: [overlay], setScale: [follow], setCursor: [tell] },
      }, [x, load, hasProbes ? probes : new Array(x.length).fill(null), vpu || new Array(x.length).fill(null)]),
    ];
    if (hasLatency)
      plots.push(new uPlot({ ...shared, height: narrow ? 170 : 190, padding: [6, taken, 0, 0],
        scales: { x: { ...scaleX }, y: { range: top } },
        series: [{}, line(words.p99, "lat"), line(words.p50, "muted"),
          line(words.probe, "lat", { paths: () => null, points: { show: true, size: 4, fill: color("lat") } })],
        axes: axes(narrow ? null : words.latency, (v) => String(Math.round(v * 1000) / 1000), []),
        hooks: { drawClear: [shade], setScale: [follow] },
      }, [x, latency.p99.map(loaded), latency.p50.map(loaded), latency.p99.map(probed)]));
    for (const u of plots) {
      holder.append(u.root);
      u.over.addEventListener("dblclick", () => show(0, end));
      u.over.addEventListener("mousedown", pan(u), true);
      u.over.addEventListener("wheel", wheel(u), { passive: false });
    }
    addMarks(plots[0]);
    show(range[0], range[1]);
  }

  /* --- hands -------------------------------------------------------------------------------- */

  function pan(u) {
    return (e) => {
      if (!e.shiftKey || e.button !== 0) return;
      e.stopImmediatePropagation();
      e.preventDefault();
      const from = [...range], start = e.clientX;
      const move = (m) => {
        const by = (start - m.clientX) / u.over.clientWidth * (from[1] - from[0]);
        show(from[0] + by, from[1] + by);
      };
      doc.addEventListener("mousemove", move);
      doc.addEventListener("mouseup", () => doc.removeEventListener("mousemove", move), { once: true });
    };
  }
  function zoom(factor, around) {
    const mid = around === undefined ? (range[0] + range[1]) / 2 : around;
    show(mid - (mid - range[0]) * factor, mid + (range[1] - mid) * factor);
  }
  /* Only with Ctrl: the wheel alone scrolls the page. */
  const wheel = (u) => (e) => {
    if (!e.ctrlKey && !e.metaKey) return;
    e.preventDefault();
    zoom(e.deltaY < 0 ? 0.8 : 1.25, u.posToVal(e.offsetX, "x"));
  };
  const shift = (part) => show(range[0] + part * (range[1] - range[0]), range[1] + part * (range[1] - range[0]));
  const acts = { in: () => zoom(0.5), out: () => zoom(2), left: () => shift(-0.25), right: () => shift(0.25),
    all: () => show(0, end), load: () => show(0, idleAt), idle: () => show(idleAt, end) };
  doc.querySelector(".tools").addEventListener("click", (e) => acts[e.target.dataset.act]?.());

  function point(i) {
    const u = plots[0], t = x[i];
    if (t < range[0] || t > range[1]) shift(t < range[0] ? -0.5 : 0.5);
    u.setCursor({ left: u.valToPos(t, "x"), top: u.valToPos(load[i] ?? probes[i] ?? 0, "y") });
  }
  holder.addEventListener("keydown", (e) => {
    if (e.target !== holder || e.ctrlKey || e.metaKey || e.altKey) return;
    const side = { ArrowLeft: -1, ArrowRight: 1 }[e.key];
    const i = plots[0].cursor.idx;
    if (e.key === "+" || e.key === "=") zoom(0.5);
    else if (e.key === "-") zoom(2);
    else if (e.key === "0" || e.key === "Escape") show(0, end);
    else if (side && e.shiftKey) shift(side * 0.25);
    else if (side) point(Math.min(Math.max((i ?? x.findIndex((t) => t >= range[0])) + side, 0), x.length - 1));
    else return;
    e.preventDefault();
  });

  /* #step-3 in the address: the chart shows the step and half of what is around it. */
  function choose() {
    const step = timeline.steps.find((s) => "#step-" + s.index === location.hash);
    for (const row of doc.querySelectorAll("tr.chosen")) row.classList.remove("chosen");
    chosen = step || null;
    if (!step) return;
    byId("step-" + step.index).classList.add("chosen");
    const before = timeline.plateaus.find((p) => p.end_s >= step.at_s - 0.001 && p.start_s < step.at_s);
    const length = Math.max(before ? step.at_s - before.start_s : 0, 20 * (timeline.run.interval_s || 1));
    show(step.at_s - length / 2, step.at_s + length / 2);
    const i = x.findIndex((t, k) => t > step.at_s && phase[k] !== "idle");
    if (i >= 0) setTimeout(() => point(i)); /* after the chart has its new range */
  }

  for (const act of ["load", "idle"]) box.querySelector("[data-act=" + act + "]").hidden = idleAt === null;
  const shown = { vpu: Boolean(vpu), probe: hasProbes, lat: hasLatency, muted: hasLatency, dip: timeline.dips.length > 0,
    pending: timeline.pending !== null, level: timeline.plateaus.length > 0 };
  for (const key of box.querySelectorAll("[data-key]")) key.hidden = !(shown[key.dataset.key] ?? true);

  try {
    box.hidden = false;
    build();
    new ResizeObserver(() => {
      if (plots[0].width !== Math.max(holder.clientWidth, 260)) build();
    }).observe(holder);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", build);
    addEventListener("hashchange", choose);
    choose();
  } catch (error) {
    box.hidden = true;
    doc.documentElement.classList.add("no-chart");
    console.error(error);
  }
})();
