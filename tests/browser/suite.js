/*
 * suite.js WRITE_FIXTURE WRITE_FIXTURE_PLAIN SHOTS - opens the HTML of three runs (240 samples, 86,400 samples,
 * a decay) as a reader would, and does what a reader would. Needs NODE_PATH and CHROMIUM.
 */
"use strict";
const assert = require("node:assert/strict");
const { execFileSync } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");
const { pathToFileURL } = require("node:url");
const { chromium } = require("playwright-core");
const { checks } = require("./checks.js");

const [fixture, plain, shots] = process.argv.slice(2);

function write(name, args, env, program = fixture) {
  const file = path.join(shots, name);
  fs.writeFileSync(file, execFileSync(program, args, { maxBuffer: 1 << 28, env: { ...process.env, ...env } }));
  return file;
}

/* What is opened; series: what every sample must read. */
function reports() {
  const series = (kind) => execFileSync(fixture, [kind, "csv", "series"], { encoding: "utf8", maxBuffer: 1 << 28 })
    .trim().split("\n").slice(1).map((line) => line.split(","));
  return {
    scale: { file: write("scale.html", ["scale", "html"]), n: 240, series: series("scale") },
    day: { file: write("day.html", ["day", "html"]), n: 86400, series: series("day") },
    decay: { file: write("decay.html", ["decay", "html"]), n: 3600, series: series("decay") },
    ja: { file: write("ja.html", ["decay", "html", "ja"], { TZ: "Asia/Tokyo" }), n: 3600 },
    plain: { file: write("plain.html", ["scale", "html"], {}, plain), n: 240 },
    empty: { file: write("empty.html", ["empty", "html"]), n: 0 },
  };
}

/* A page that fails the test on anything a report must not do. */
async function open(browser, report, options, hash) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  const faults = [];
  page.on("console", (m) => ["error", "warning"].includes(m.type()) && faults.push("console: " + m.text()));
  page.on("pageerror", (e) => faults.push("exception: " + e.message));
  page.on("dialog", (d) => { faults.push("dialog: " + d.message()); d.dismiss(); });
  page.on("request", (r) => {
    const url = r.url();
    if (url !== pathToFileURL(report.file).href + (hash || "") && url !== pathToFileURL(report.file).href &&
        !/^(data|blob):/.test(url)) faults.push("request: " + url);
  });
  await page.goto(pathToFileURL(report.file).href + (hash || ""));
  page.close_checked = async () => {
    assert.deepEqual(faults, []);
    await context.close();
  };
  return page;
}

(async () => {
  const args = process.getuid && process.getuid() === 0 ? ["--no-sandbox"] : [];
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args });
  const runs = reports();
  let failed = 0, passed = 0;
  for (const [name, check] of Object.entries(checks)) {
    const start = Date.now();
    try {
      await check({ open: (run, options, hash) => open(browser, runs[run], options, hash), runs, shots });
      console.log(`ok: ${name} (${Date.now() - start} ms)`);
      passed++;
    } catch (error) {
      console.log(`FAILED: ${name}\n${error.stack}`);
      failed++;
    }
  }
  await browser.close();
  console.log(`${passed} passed, ${failed} failed`);
  process.exit(failed ? 1 : 0);
})();
