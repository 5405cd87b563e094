import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { markup } from "./markup.ts";
import { page, table } from "./page-frame.ts";
import { plotFrame } from "./plot-frame.ts";

describe("a page", () => {
  it("escapes what it is given, holds its own style and may load nothing", () => {
    const text = page({ title: "<a>", lead: "b & c", style: ".mine {}", body: markup`<p>${"<d>"}</p>`, footer: "'e'" });
    assert.match(text, /<title>&lt;a&gt; · coppice<\/title>/);
    assert.match(text, /<h1>&lt;a&gt;<\/h1>/);
    assert.match(text, /<p class="lead">b &amp; c<\/p>/);
    assert.match(text, /<p>&lt;d&gt;<\/p>/);
    assert.match(text, /<footer>&#39;e&#39;<\/footer>/);
    assert.match(text, /\.mine \{\}\n?<\/style>/);
    assert.match(text, /default-src 'none'; style-src 'unsafe-inline'"/);
    assert.doesNotMatch(text, /<script/);
    assert.match(
      page({ title: "a", body: "", script: "1 < 2" }),
      /script-src 'unsafe-inline'">.*<script>1 < 2<\/script>/s,
    );
  });

  it("aligns the columns of numbers to the right", () => {
    assert.equal(
      table(["name", { number: "n" }], [["<a>", 0]]).text,
      '<table><thead><tr><th>name</th><th class="number">n</th></tr></thead><tbody><tr><td>&lt;a&gt;</td><td class="number">0</td></tr>\n</tbody></table>',
    );
  });
});

describe("a plot's frame", () => {
  const size = { width: 120, height: 80, left: 10, right: 10, top: 5, bottom: 15 };

  it("places the ends of a range at the plot's edges, and values that are all the same in the middle", () => {
    const { x, y, top, bottom } = plotFrame([0, 10], [1, 3], { size, margin: 0 });
    assert.deepEqual([x(0), x(10), y(1), y(3), top, bottom], [10, 110, 65, 5, 5, 65]);
    const flat = plotFrame([2, 2], [7, 7], { size, margin: 0 });
    assert.deepEqual([flat.x(2), flat.y(7)], [60, 35]);
    assert.equal(plotFrame([2, 3], [7, 7], { size }).y(7), 35);
    assert.equal(plotFrame([2, 3], [0, 0], { size }).y(0), 35);
  });

  it("leaves a little room above and below, and draws magnitudes as far apart as they are", () => {
    const { y, top, bottom } = plotFrame([0, 1], [0, 100], { size });
    assert.ok(y(100) > top && y(0) < bottom);
    const log = plotFrame([0, 1], [1, 10_000], { size, log: true });
    assert.ok(Math.abs(log.y(1) - log.y(100) - (log.y(100) - log.y(10_000))) < 0.2);
    const axes = log.axes({ label: "told", ticks: [0, 1], text: String }, { label: "best", text: String }).text;
    for (const part of [">told<", ">best<", ">1000<", ">10000<"]) assert.ok(axes.includes(part), part);
  });
});
