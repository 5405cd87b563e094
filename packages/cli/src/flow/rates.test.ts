import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { coppice, type Ended } from "../../test/coppice.ts";

const goldenFolder = new URL("../../../airspace/test/fixtures/golden/", import.meta.url);
const golden = (name: string) => fileURLToPath(new URL(`${name}.json`, goldenFolder));
const scratch = mkdtempSync(join(tmpdir(), "coppice-rates-"));
after(() => rmSync(scratch, { recursive: true }));

function rates(args: readonly string[], environment: Record<string, string> = {}): Promise<Ended> {
  return coppice(scratch, ["flow", "rates", ...args], environment);
}

describe("coppice flow rates", async () => {
  const file = JSON.parse(readFileSync(golden("tiny1"), "utf8"));
  const [example] = file.rate_finder_cases;
  const flows = join(scratch, "flows.json");
  writeFileSync(flows, JSON.stringify(example.flows));
  const strange = join(scratch, "strange.json");
  writeFileSync(strange, JSON.stringify({ rate_finder_cases: [{ ...example, config: { rate_gird: [6] } }] }));
  const published = ["--instance", golden("tiny1"), "--semantics", "reference", "--volume", "A", "--window", "16-18"];
  const asPublished = [
    ...published,
    "--flows",
    flows,
    "--grid",
    "inf,3,2,1",
    "--passes",
    "2",
    "--mode",
    "per_flow",
    "--json",
  ];

  it("F-03, F-06: prints the published numbers as data, the same from workers", async () => {
    const serial = await coppice(scratch, ["flow", "rates", ...asPublished]);
    assert.equal(serial.code, 0, serial.stderr);
    const [finding] = JSON.parse(serial.stdout).findings;
    assert.deepEqual(finding.rates, example.rates);
    assert.deepEqual(finding.diagnostics, example.diagnostics);
    for (const backend of ["thread", "process"]) {
      const more = [
        "--num-workers-rf",
        "2",
        "--parallel-backend",
        backend,
        "--chunk-size",
        "2",
        "--max-tasks-in-flight",
        "4",
      ];
      const pooled = await rates([...asPublished, ...more]);
      assert.equal(pooled.code, 0, pooled.stderr);
      assert.equal(pooled.stdout, serial.stdout);
    }
  });

  it("runs every search of a published file with its own configuration, twice each", async () => {
    for (const name of ["tiny2", "medium1"]) {
      const args = ["--instance", golden(name), "--semantics", "reference", "--cases", golden(name)];
      const { code, stdout, stderr } = await rates([...args, "--num-workers-rf", "1"]);
      assert.equal(code, 0, stderr);
      const { rate_finder_cases } = JSON.parse(readFileSync(golden(name), "utf8"));
      const expected = rate_finder_cases.map((numbers: Record<string, unknown>) => {
        const { label, rates, delta_j, diagnostics, second_call } = numbers;
        return { label, rates, delta_j, diagnostics, second_call };
      });
      assert.deepEqual(JSON.parse(stdout).rate_finder_cases, expected);
    }
  });

  it("prints both modes, components, delays, counts and timers as text", async () => {
    const { code, stdout } = await rates([...published, "--flows", flows, "--profile"], {
      COPPICE_NUM_WORKERS_RF: "0",
    });
    assert.equal(code, 0);
    assert.match(stdout, /^A, bins 16-18 \(08:00-09:00 UTC\), reference semantics\n/);
    assert.match(stdout, /per_flow: ΔJ 0 {3}J 41\.6 -> 41\.6/);
    assert.match(stdout, /blanket: ΔJ/);
    assert.match(stdout, /J_cap +41 +41 +0/);
    assert.match(stdout, /0 of 3 flights delayed, 0 minutes in all/);
    assert.match(stdout, /15 evaluations, 1 cache hit, 1 pass/);
    assert.match(stdout, /rate_finder\.evaluate_candidate +\d+/);
  });

  it("regulates with the network's slots by default, and takes an option from the environment", async () => {
    const args = [
      "--instance",
      golden("medium1"),
      "--volume",
      "TV000",
      "--window",
      "07:00-10:30",
      "--adaptive",
      "--json",
    ];
    const { code, stdout, stderr } = await rates(args, { COPPICE_NUM_WORKERS_RF: "nine" });
    assert.equal(code, 2);
    assert.match(stderr, /COPPICE_NUM_WORKERS_RF.*whole number from 0 to 1024/);
    assert.equal(stdout, "");
    const report = JSON.parse((await rates(args)).stdout);
    assert.equal(report.semantics, "corrected");
    assert.deepEqual(Object.keys(report.findings[0].diagnostics.final_components), [
      "exceedance",
      "delay",
      "regulations",
    ]);
    assert.ok(report.findings[1].delta_j < 0, "holding back the whole hotspot pays");
  });

  it("finds rates for the traffic that a plan leaves", async () => {
    const plan = join(scratch, "plan.json");
    writeFileSync(plan, JSON.stringify([{ volume: "TV000", window: [28, 42], rate: 20 }]));
    const args = [
      "--instance",
      golden("medium1"),
      "--volume",
      "TV001",
      "--window",
      "27-42",
      "--mode",
      "blanket",
      "--json",
    ];
    const baseline = async (...more: string[]) =>
      JSON.parse((await rates([...args, ...more])).stdout).findings[0].diagnostics.baseline_components;
    assert.equal((await baseline()).regulations, 0);
    const after = await baseline("--plan", plan);
    assert.equal(after.regulations, 5);
    assert.ok(after.delay > 0);
  });

  it("saves what it found as a plan that the next search, or a score, starts from", async () => {
    const [first, second] = [join(scratch, "first.json"), join(scratch, "second.json")];
    const day = ["--instance", golden("medium1"), "--adaptive", "--json"];
    const found = JSON.parse(
      (await rates([...day, "--volume", "TV000", "--window", "28-42", "--save-plan", first])).stdout,
    );
    const best = Math.min(...found.findings.map((finding: { delta_j: number }) => finding.delta_j));
    assert.ok(best < 0);
    const next = JSON.parse(
      (await rates([...day, "--volume", "TV001", "--window", "27-42", "--plan", first, "--save-plan", second])).stdout,
    );
    const { diagnostics } = next.findings[0];
    assert.ok(
      Math.abs(diagnostics.baseline_objective - (found.findings[0].diagnostics.baseline_objective + best)) < 1e-9,
    );
    const lines = JSON.parse(readFileSync(second, "utf8")).plan;
    assert.equal(lines[0].volume, "TV000");
  });

  it("saves a plan as published, with reference semantics", async () => {
    const saved = join(scratch, "published.json");
    assert.equal((await rates([...asPublished, "--save-plan", saved])).code, 0);
    assert.deepEqual(JSON.parse(readFileSync(saved, "utf8")), {
      time_bin_minutes: 30,
      plan: [
        {
          control_volume_id: "A",
          window_bins: [16, 18],
          window_labels: { start: "08:00-08:30", end: "08:30-09:00" },
          mode: "per_flow",
          flow_ids: ["X", "Y"],
          rates_per_flow: { X: 3, Y: 1 },
          blanket_rate: null,
        },
      ],
    });
  });

  it("F-20: prints the same with a cold and a warm cache, and refuses a file that is none", async () => {
    const cache = ["--cache", join(scratch, "scores.sqlite")];
    const without = (await rates(asPublished)).stdout;
    for (const state of ["cold", "warm"])
      assert.equal((await rates([...asPublished, ...cache])).stdout, without, state);
    const { code, stderr } = await rates([...asPublished, "--cache", flows]);
    assert.equal(code, 2, stderr);
    assert.match(stderr, /flows\.json/);
  });

  it("finds flows as a file of published options says", async () => {
    const args = [
      "--instance",
      golden("medium1"),
      "--semantics",
      "reference",
      "--volume",
      "TV000",
      "--window",
      "28-42",
    ];
    const { stdout } = await rates([...args, "--discovery", golden("medium1"), "--mode", "per_flow", "--json"]);
    const { rate_finder_cases } = JSON.parse(readFileSync(golden("medium1"), "utf8"));
    assert.deepEqual(JSON.parse(stdout).findings[0].diagnostics, rate_finder_cases[0].diagnostics);
  });

  const wrongs: [string, string[], RegExp][] = [
    ["unknown volume", ["--volume", "B", "--window", "16-18"], /tiny1 has no volume "B"; it has 1: A/],
    ["empty window", ["--volume", "A", "--window", "16-16"], /--window "16-16": it is empty/],
    ["window past midnight", ["--volume", "A", "--window", "40-50"], /--window "40-50": it ends after the day/],
    ["rate of 0", ["--volume", "A", "--window", "16-18", "--grid", "inf,0"], /"0" is not a rate; rates are above 0/],
    ["no rates to try", ["--volume", "A", "--window", "16-18", "--grid", ""], /--grid is empty: give rates/],
    [
      "a price of nothing",
      ["--volume", "A", "--window", "16-18", "--lambda", ""],
      /--lambda "": a price must be a number/,
    ],
    [
      "missing flows file",
      ["--volume", "A", "--window", "16-18", "--semantics", "reference", "--flows", join(scratch, "none")],
      /--flows .*none/,
    ],
    ["no window", ["--volume", "A"], /required option '--window <a-b>' not specified/],
    ["cases without reference semantics", ["--cases", golden("tiny1")], /--cases: needs --semantics reference/],
    [
      "a case with an unknown option",
      ["--semantics", "reference", "--cases", strange],
      /strange\.json: .*unknown field "rate_gird"/,
    ],
    [
      "a price for reference semantics",
      ["--semantics", "reference", "--volume", "A", "--window", "16-18", "--lambda", "1"],
      /--lambda: not with --semantics reference/,
    ],
    [
      "a plan that is no plan",
      ["--volume", "A", "--window", "16-18", "--plan", flows],
      /a plan is a list of regulations/,
    ],
    [
      "a discovery for the wrong semantics",
      ["--volume", "A", "--window", "16-18", "--discovery", flows],
      /--discovery: needs --semantics reference/,
    ],
  ];
  for (const [what, args, message] of wrongs) {
    it(`${what}: one line, exit code 2`, async () => {
      const { code, stdout, stderr } = await rates(["--instance", golden("tiny1"), ...args]);
      assert.equal(code, 2, stderr);
      assert.equal(stdout, "");
      assert.match(stderr, message);
      assert.equal(stderr.trimEnd().split("\n").length, 1, stderr);
    });
  }

  it("names a flight that the day does not have", async () => {
    const unknown = join(scratch, "unknown.json");
    writeFileSync(unknown, JSON.stringify({ X: ["F1", "F9"] }));
    const { code, stderr } = await rates([...published, "--flows", unknown]);
    assert.equal(code, 2);
    assert.match(stderr, /flow X: tiny1 has no flight "F9"/);
  });
});
