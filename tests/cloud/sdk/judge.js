// judge.js SIGN_TOOL STANDIN KEY_INC DIR - see run.sh.
"use strict";
const assert = require("node:assert");
const fs = require("node:fs");
const path = require("node:path");
const { spawn, spawnSync } = require("node:child_process");
const common = require("oci-common");
const core = require("oci-core");
const monitoring = require("oci-monitoring");
const httpSignature = require("http-signature");
const { DefaultRequestSigner } = require("oci-common/lib/signer");

const [signTool, standinProgram, keyFile, dir] = process.argv.slice(2);
const keyPath = path.join(dir, "judge-key.pem");
const tenancy = "ocid1.tenancy.oc1..standin";
const user = "ocid1.user.oc1..standin";
const fingerprint = "73:61:a2:21:67:e0:df:be:7e:4b:93:1e:15:98:a5:b7";
const keyId = `${tenancy}/${user}/${fingerprint}`;
const volumeId = "ocid1.volume.oc1.phx.standin";
const instanceId = "ocid1.instance.oc1.phx.standin";
const compartmentId = "ocid1.compartment.oc1..standin";

// A key as a C file holds it, as PEM.
function pemOf(name) {
  const text = fs.readFileSync(keyFile, "utf8").split(`static const char ${name}[] =`)[1].split(";")[0];
  return [...text.matchAll(/"(.*)\\n"/g)].map((m) => m[1]).join("\n") + "\n";
}

const provider = (key) =>
  new common.SimpleAuthenticationDetailsProvider(tenancy, user, fingerprint, key, null,
    common.Region.US_PHOENIX_1);

// What the SDK's signer signed last: the library under it leaves it there when asked.
let signedString;
const sign = httpSignature.sign;
httpSignature.sign = (request, options) => {
  request._stringToSign = "";
  const result = sign(request, options);
  signedString = request._stringToSign;
  return result;
};

function ours(request) {
  const args = [keyPath, keyId, request.method, request.target, request.host, request.date];
  if (request.body !== undefined) {
    const file = path.join(dir, "judge-body");
    fs.writeFileSync(file, request.body);
    args.push(file);
  }
  const result = spawnSync(signTool, args, { encoding: "utf8" });
  assert.strictEqual(result.status, 0, result.stderr);
  return JSON.parse(result.stdout);
}

// The SDK signs the same request with our list of headers, in our order, and our date.
async function theirs(signer, request, list) {
  const headers = new Headers({ host: request.host, date: request.date, "content-type": "application/json" });
  const http = { method: request.method, uri: `https://${request.host}${request.target}`, headers,
    body: request.body };
  await signer.signHttpRequest(http); // its own way first: it works out length and hash of the body
  headers.delete("authorization");
  const before = [DefaultRequestSigner.headersToSign, DefaultRequestSigner.methodsThatRequireExtraHeaders];
  DefaultRequestSigner.headersToSign = list.split(" ");
  DefaultRequestSigner.methodsThatRequireExtraHeaders = [];
  await signer.signHttpRequest(http);
  [DefaultRequestSigner.headersToSign, DefaultRequestSigner.methodsThatRequireExtraHeaders] = before;
  return { string: signedString, headers };
}

const fieldOf = (authorization, name) => new RegExp(`${name}="([^"]*)"`).exec(authorization)[1];

// A small repeatable generator, so that every machine judges the same requests.
let state = 42;
function random(n) {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 2 ** 32) * n);
}

function requests() {
  const vectorBody = `{
    "compartmentId": "ocid1.compartment.oc1..aaaaaaaam3we6vgnherjq5q2idnccdflvjsnog7mlr6rtdb25gilchfeyjxa",
    "instanceId": "ocid1.instance.oc1.phx.abuw4ljrlsfiqw6vzzxb43vyypt4pkodawglp3wqxjqofakrwvou52gb6s5a",
    "volumeId": "ocid1.volume.oc1.phx.abyhqljrgvttnlx73nmrwfaux7kcvzfs3s66izvxf2h4lgvyndsdsnoiwr5q"
}`;
  const host = "iaas.us-phoenix-1.oraclecloud.com";
  const date = "Thu, 05 Jan 2014 21:31:40 GMT";
  const list = [
    { method: "POST", host, date, target: "/20160918/volumeAttachments", body: vectorBody,
      signature: "Mje8vIDPlwIHmD/cTDwRxE7HaAvBg16JnVcsuqaNRim23fFPgQfLoOOxae6WqKb1uPjYEl0qIdazWaBy/Ml8DRhq" +
        "locMwoSXv0fbukP8J5N80LCmzT/FFBvIvTB91XuXI3hYfP9Zt1l7S6ieVadHUfqBedWH0itrtPJBgKmrWso=" },
    { method: "GET", host, date,
      target: "/20160918/instances?availabilityDomain=Pjwf%3A%20PHX-AD-1&compartmentId=ocid1.compartment.oc1.." +
        "aaaaaaaam3we6vgnherjq5q2idnccdflvjsnog7mlr6rtdb25gilchfeyjxa&displayName=TeamXInstances&volumeId=" +
        "ocid1.volume.oc1.phx.abyhqljrgvttnlx73nmrwfaux7kcvzfs3s66izvxf2h4lgvyndsdsnoiwr5q",
      signature: "GBas7grhyrhSKHP6AVIj/h5/Vp8bd/peM79H9Wv8kjoaCivujVXlpbKLjMPeDUhxkFIWtTtLBj3sUzaFj34XE6YZ" +
        "AHc9r2DmE4pMwOAy/kiITcZxa1oHPOeRheC0jP2dqbTll8fmTZVwKZOKHYPtrLJIJQHJjNvxFWeHQjMaR7M=" },
    { method: "POST", host: "telemetry.eu-frankfurt-1.oraclecloud.com", date: "Sun, 29 Feb 2032 23:59:59 GMT",
      target: "/20180401/metrics/actions/summarizeMetricsData?compartmentId=x", body: "" },
    { method: "PUT", host: "127.0.0.1:8080", date, target: "/20160918/volumes/x", body: '{"displayName":"速度 ü"}' },
  ];
  const characters = "abcXYZ019-_.~ /?&=+:%é速\"'";
  const encode = (t) => encodeURIComponent(t).replace(/'/g, "%27"); // as RFC 3986 has it
  const text = (n) => Array.from({ length: n }, () => characters[random(characters.length)]).join("");
  for (let i = 0; i < 40; i++) {
    const query = Array.from({ length: random(4) }, (_, k) => `p${k}=${encode(text(random(20)))}`);
    const method = ["GET", "POST", "PUT"][random(3)];
    list.push({ method, host: `h${random(1000)}.example.com`,
      date: new Date(random(2 ** 31) * 1000).toUTCString(),
      target: `/20160918/volumes/${encode(text(8))}${query.length ? "?" + query.join("&") : ""}`,
      body: method === "GET" ? undefined : text(random(300)) });
  }
  return list;
}

async function signaturesAgree() {
  const signer = new DefaultRequestSigner(provider(pemOf("test_key")));
  for (const request of requests()) {
    const mine = ours(request);
    const authorization = mine.headers.authorization;
    const their = await theirs(signer, request, fieldOf(authorization, "headers"));
    const their_authorization = their.headers.get("authorization");
    assert.strictEqual(mine.string, their.string);
    for (const name of ["signature", "keyId", "algorithm", "version"])
      assert.strictEqual(fieldOf(authorization, name), fieldOf(their_authorization, name), name);
    if (request.body !== undefined)
      assert.strictEqual(mine.headers["x-content-sha256"], their.headers.get("x-content-sha256"));
    if (request.signature)
      assert.strictEqual(fieldOf(authorization, "signature"), request.signature);
  }
  return requests().length;
}

async function withStandin(args, f) {
  const urlFile = path.join(dir, "judge-url");
  fs.rmSync(urlFile, { force: true });
  const child = spawn(standinProgram, [keyPath, urlFile, ...args], { stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  child.stderr.on("data", (data) => (said += data));
  try {
    for (let i = 0; i < 400 && !(fs.existsSync(urlFile) && fs.statSync(urlFile).size); i++)
      await new Promise((done) => setTimeout(done, 25));
    await f(fs.readFileSync(urlFile, "utf8").trim());
  } finally {
    const gone = new Promise((done) => child.on("close", done));
    child.kill("SIGTERM");
    await gone;
  }
  return said;
}

function client(type, url, key) {
  const made = new type({ authenticationDetailsProvider: provider(key || pemOf("test_key")) },
    { retryConfiguration: common.NoRetryConfigurationDetails });
  made.endpoint = url;
  return made;
}

async function readVolume(url) {
  const { volume } = await client(core.BlockstorageClient, url).getVolume({ volumeId });
  assert.strictEqual(volume.id, volumeId);
  assert.strictEqual(volume.lifecycleState, core.models.Volume.LifecycleState.Available);
  assert.strictEqual(volume.sizeInGBs, 1024);
  assert.strictEqual(volume.vpusPerGB, 10);
  assert.strictEqual(volume.autoTunedVpusPerGB, 10);
  assert.strictEqual(volume.isHydrated, true);
  assert.deepStrictEqual(volume.autotunePolicies.map((p) => [p.autotuneType, p.maxVpusPerGB]),
    [["PERFORMANCE_BASED", 120], ["DETACHED_VOLUME", undefined]]);
  assert.strictEqual(new Date(volume.timeCreated).toISOString(), "2026-01-31T12:00:00.000Z");
}

async function readInstance(url) {
  const compute = client(core.ComputeClient, url);
  const found = [];
  for await (const attachment of compute.listAllVolumeAttachments({ compartmentId, volumeId }))
    found.push(attachment);
  assert.deepStrictEqual(found.map((a) => [a.attachmentType, a.isMultipath, a.instanceId, a.lifecycleState]),
    [["iscsi", true, instanceId, "ATTACHED"]]);
  const { instance } = await compute.getInstance({ instanceId });
  assert.strictEqual(instance.shape, "VM.Standard.E5.Flex");
  assert.strictEqual(instance.shapeConfig.networkingBandwidthInGbps, 4);
}

async function readMetric(url) {
  const { items } = await client(monitoring.MonitoringClient, url).summarizeMetricsData({
    compartmentId,
    summarizeMetricsDataDetails: {
      namespace: "oci_blockstore",
      query: `VolumeGuaranteedVPUsPerGB[1m]{resourceId = "${volumeId}"}.mean()`,
      startTime: new Date("2026-01-31T12:00:00Z"),
      endTime: new Date("2026-01-31T12:05:00Z"),
    },
  });
  assert.strictEqual(items.length, 1);
  assert.strictEqual(items[0].name, "VolumeGuaranteedVPUsPerGB");
  assert.deepStrictEqual(items[0].aggregatedDatapoints.map((p) => [new Date(p.timestamp).toISOString(), p.value]),
    [0, 1, 2, 3, 4].map((m) => [`2026-01-31T12:0${m}:00.000Z`, 10]));
}

async function answersAreRead() {
  const said = await withStandin([], async (url) => {
    await readVolume(url);
    await readInstance(url);
    await readMetric(url);
  });
  assert.match(said, /refused 0/); // the stand-in's reading of the rules accepts the SDK's signatures
  return said.trim();
}

async function failuresAreRead() {
  const cases = [["404", 404, "NotAuthorizedOrNotFound"], ["429", 429, "TooManyRequests"],
    ["500", 500, "InternalServerError"], ["409", 409, "IncorrectState"]];
  for (const [fault, status, code] of cases)
    await withStandin(["--fault", fault], (url) =>
      assert.rejects(client(core.BlockstorageClient, url).getVolume({ volumeId }), (error) =>
        error.statusCode === status && error.serviceCode === code && error.opcRequestId.startsWith("standin/")));
  const said = await withStandin([], (url) =>
    assert.rejects(client(core.BlockstorageClient, url, pemOf("long_key")).getVolume({ volumeId }),
      (error) => error.statusCode === 401));
  assert.match(said, /refused 1/); // another key than the one it knows
  return `${cases.length} failures, and a wrong key`;
}

async function main() {
  fs.writeFileSync(keyPath, pemOf("test_key"));
  let failed = 0;
  for (const check of [signaturesAgree, answersAreRead, failuresAreRead]) {
    try {
      console.log(`ok: ${check.name}: ${await check()}`);
    } catch (error) {
      failed++;
      console.log(`FAILED: ${check.name}: ${error.stack || error}`);
    }
  }
  process.exitCode = failed ? 1 : 0;
}

main();
