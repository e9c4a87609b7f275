/* What a reader does with a report, and what must come of it. */
"use strict";
const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");

const IDS = ["summary", "timeline", "plateaus", "steps", "decay", "latency", "cost", "verdict", "method", "raw"];
const checks = {};

async function range(page) {
  return page.$eval("#plot", (plot) => [Number(plot.dataset.from), Number(plot.dataset.to)]);
}

/* A mouse drag over the chart between two parts of its width. */
async function drag(page, from, to, keys = []) {
  const box = await page.locator(".u-over").first().boundingBox();
  const y = box.y + box.height / 2;
  for (const key of keys) await page.keyboard.down(key);
  await page.mouse.move(box.x + box.width * from, y);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * (from + to) / 2, y, { steps: 4 });
  await page.mouse.move(box.x + box.width * to, y, { steps: 4 });
  await page.mouse.up();
  for (const key of keys) await page.keyboard.up(key);
  await page.waitForTimeout(50);
}

async function axe(page) {
  await page.addScriptTag({ path: require.resolve("axe-core") });
  const found = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
  assert.ok(found.passes.length > 10, "axe found nothing to judge");
  return found.violations.filter((v) => ["serious", "critical"].includes(v.impact))
    .map((v) => v.id + ": " + v.nodes.slice(0, 3).map((n) => n.target.join(" ") + " " + n.failureSummary).join("; "));
}

for (const run of ["scale", "day", "decay", "ja", "empty"])
  checks[run + " opens without a fault or a request, with all its ids"] = async ({ open, runs }) => {
    const page = await open(run);
    for (const id of IDS) assert.equal(await page.locator("#" + id).count(), 1, "#" + id);
    assert.equal(await page.evaluate(() => JSON.parse(document.getElementById("raw-data").textContent).series.n),
      runs[run].n);
    assert.equal(await page.locator("#plot canvas").count(), run === "empty" ? 0 : 2);
    assert.equal(await page.locator("html").getAttribute("lang"), run === "ja" ? "ja" : "en");
    if (run === "empty") await page.locator("svg.chart").first().waitFor({ state: "visible" });
    else assert.equal(await page.locator("#step-3").count(), 1);
    await page.close_checked();
  };

checks["the page of a day is smaller than 1.5 MB"] = async ({ runs }) =>
  assert.ok(fs.statSync(runs.day.file).size < 1.5e6, String(fs.statSync(runs.day.file).size));

checks["a foreign label is text"] = async ({ open }) => {
  const page = await open("scale");
  assert.equal(await page.locator(".label").textContent(), "<script>alert(1)</script>\"&'");
  assert.ok((await page.title()).includes("<script>alert(1)</script>\"&'"));
  await page.close_checked();
};

checks["the mouse zooms, pans and shows everything again"] = async ({ open }) => {
  const page = await open("scale");
  assert.deepEqual(await range(page), [0, 240]);
  await drag(page, 0.25, 0.5);
  const [from, to] = await range(page);
  assert.ok(Math.abs(from - 60) < 2 && Math.abs(to - 120) < 2, `${from} to ${to}`);
  await drag(page, 0.75, 0.25, ["Shift"]);
  const [later, end] = await range(page);
  assert.ok(Math.abs(later - 90) < 3 && Math.abs(end - later - (to - from)) < 0.01, `${later} to ${end}`);
  await page.locator(".u-over").first().dblclick();
  assert.deepEqual(await range(page), [0, 240]);
  await page.close_checked();
};

checks["hovering reads out the sample, and both panels follow"] = async ({ open, runs }) => {
  const page = await open("scale");
  const box = await page.locator(".u-over").first().boundingBox();
  await page.mouse.move(box.x + box.width * 0.5, box.y + 150);
  const text = await page.locator("#readout").textContent();
  const second = Number(/^(\d+):(\d+)/.exec(text).slice(1).reduce((a, b) => a * 60 + Number(b), 0));
  assert.ok(Math.abs(second - 120) <= 1, text);
  assert.ok(text.includes(Number(runs.scale.series[second - 1][3]).toLocaleString("en-US") + " IOPS"), text);
  assert.match(text, /12:0\d:\d\d UTC.*p99 [\d.]+ ms.*VPU 50.*plateau 4 \(VPU 50\)/);
  await page.close_checked();
};

checks["every second of a day can be reached by keys, at full resolution"] = async ({ open, runs }) => {
  const page = await open("day");
  await page.locator("#plot").focus();
  for (let i = 0; i < 11; i++) await page.keyboard.press("+");
  const [from, to] = await range(page);
  assert.ok(to - from < 45, `${from} to ${to}`);
  let second = null;
  for (let i = 0; i < 6; i++) {
    await page.keyboard.press("ArrowRight");
    await page.waitForTimeout(20);
    const text = await page.locator("#readout").textContent();
    const at = /^(\d+):(\d+):(\d+)/.exec(text).slice(1).reduce((a, b) => a * 60 + Number(b), 0);
    if (second !== null) assert.equal(at, second + 1, text);
    second = at;
    const row = runs.day.series[at - 1];
    assert.equal(Number(row[0]), at);
    assert.ok(text.includes(" " + Number(row[3]).toLocaleString("en-US") + " IOPS"), text + " is not " + row);
  }
  await page.keyboard.press("0");
  assert.deepEqual(await range(page), [0, 86400]);
  await page.close_checked();
};

checks["a step is a link between chart and table, both ways"] = async ({ open }) => {
  let page = await open("scale", {}, "#step-3");
  await page.waitForTimeout(100);
  let [from, to] = await range(page);
  assert.ok(from < 101 && to > 101 && to - from < 60, `${from} to ${to}`);
  assert.match(await page.locator("#step-3").getAttribute("class"), /chosen/);
  assert.match(await page.locator("#readout").textContent(), /^1:42 /);
  await page.close_checked();

  page = await open("scale");
  await page.locator("a.mark[href='#step-1']").click();
  await page.waitForFunction(() => { /* the page scrolls smoothly */
    const box = document.getElementById("step-1").getBoundingClientRect();
    return box.top >= 0 && box.bottom <= innerHeight;
  }, null, { timeout: 10000 });
  [from, to] = await range(page);
  assert.ok(from < 51 && to > 51 && to - from < 60, `${from} to ${to}`);
  await page.close_checked();
};

checks["the phases of a decay are a button away"] = async ({ open }) => {
  const page = await open("decay");
  await page.locator("[data-act=load]").click();
  assert.deepEqual(await range(page), [0, 300]);
  await page.locator("[data-act=idle]").click();
  assert.deepEqual(await range(page), [300, 3600]);
  await page.close_checked();
  const flat = await open("scale");
  assert.equal(await flat.locator("[data-act=idle]").isVisible(), false);
  await flat.close_checked();
};

checks["the keyboard reaches links, buttons, chart and tables, and shows where it is"] = async ({ open }) => {
  const page = await open("scale");
  const seen = new Set();
  for (let i = 0; i < 60; i++) {
    await page.keyboard.press("Tab");
    seen.add(await page.evaluate(() => {
      const e = document.activeElement;
      if (e === document.body) return "end";
      return getComputedStyle(e).outlineStyle === "none" ? "no outline: " + e.outerHTML : e.tagName + (e.id ? "#" + e.id : "");
    }));
  }
  assert.deepEqual([...seen].filter((s) => s.startsWith("no outline")), []);
  for (const want of ["A", "BUTTON", "DIV#plot", "DIV", "BUTTON#save-json", "SUMMARY"])
    assert.ok(seen.has(want), want + " is not in " + [...seen]);
  await page.close_checked();
};

checks["the data can be saved from the page"] = async ({ open, runs }) => {
  const page = await open("decay");
  const saved = async (id) => {
    const [download] = await Promise.all([page.waitForEvent("download"), page.locator(id).click()]);
    return fs.readFileSync(await download.path(), "utf8");
  };
  const timeline = JSON.parse(await saved("#save-json"));
  assert.equal(timeline.schema_version, 1);
  assert.equal(timeline.plateaus.length, 8);
  const rows = (await saved("#save-csv")).trim().split("\n");
  assert.equal(rows.length, 3601);
  const [, , phase, iops] = runs.decay.series[100], row = rows[101].split(",");
  assert.deepEqual(row.slice(0, 3), ["101", phase, String(Number(iops))]);
  await page.close_checked();
};

checks["without scripts the static chart stands, with its steps as links"] = async ({ open, shots }) => {
  const page = await open("scale", { javaScriptEnabled: false });
  const chart = page.locator("noscript svg.chart");
  assert.equal(await chart.isVisible(), true);
  assert.equal(await chart.locator("a[href='#step-3']").count(), 1);
  assert.ok(await chart.locator("path.control").count(), "no line of the control plane");
  assert.equal(await page.locator("#chart").isVisible(), false);
  await page.screenshot({ path: path.join(shots, "scale-noscript.png"), fullPage: true });
  await page.close_checked();
};

checks["a build without uPlot shows the static chart with scripts too"] = async ({ open }) => {
  const page = await open("plain");
  assert.equal(await page.locator("section#timeline svg.chart").isVisible(), true);
  assert.equal(await page.locator("canvas").count(), 0);
  assert.equal(await page.locator("#save-json").isVisible(), true);
  await page.close_checked();
};

checks["print has the static chart and no buttons, on A4"] = async ({ open, shots }) => {
  const page = await open("decay");
  const pdf = await page.pdf({ path: path.join(shots, "decay.pdf"), format: "A4", printBackground: true });
  assert.equal(pdf.subarray(0, 5).toString(), "%PDF-");
  const pages = pdf.toString("latin1").match(/\/Type \/Page\b(?!s)/g).length;
  assert.ok(pages >= 1 && pages <= 4, pages + " pages");
  await page.emulateMedia({ media: "print" });
  assert.equal(await page.locator(".static.printed svg").isVisible(), true);
  for (const id of ["#chart", "nav", ".save"]) assert.equal(await page.locator(id).isVisible(), false, id);
  await page.setViewportSize({ width: 718, height: 1000 });
  await page.screenshot({ path: path.join(shots, "decay-print.png"), fullPage: true });
  await page.close_checked();
};

const LOOKS = {
  light: { options: { colorScheme: "light" }, runs: ["scale", "empty"], pictures: ["day"] },
  dark: { options: { colorScheme: "dark" }, runs: ["decay"], pictures: [] },
  390: { options: { viewport: { width: 390, height: 844 } }, runs: ["ja"], pictures: ["scale", "day"] },
};
for (const [kind, { options, runs: judged, pictures }] of Object.entries(LOOKS))
  checks[kind + ": no serious accessibility fault, nothing wider than the screen"] = async ({ open, shots }) => {
    for (const run of [...judged, ...pictures]) {
      const page = await open(run, { ...options, bypassCSP: true });
      await page.waitForTimeout(100);
      await page.screenshot({ path: path.join(shots, `${run}-${kind}.png`), fullPage: true });
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), run + " is too wide");
      const luma = await page.evaluate(() => Number(/\d+/.exec(getComputedStyle(document.documentElement).backgroundColor)[0]));
      assert.equal(luma < 64, options.colorScheme === "dark", "background " + luma);
      if (judged.includes(run)) assert.deepEqual(await axe(page), [], run);
      await page.close_checked();
    }
  };

module.exports = { checks };
