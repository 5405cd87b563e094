import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { compareVersions, releaseFaults } from "./release-faults.ts";

const ready = {
  version: "1.2.3",
  changelog: "# Changelog\n\n## 1.2.3 (2026-11-20)\n",
  uncommitted: 0,
  tags: ["v1.2.2"],
};

describe("a release", () => {
  it("has nothing against it when all is committed, new and written down", () => {
    assert.deepEqual(releaseFaults(ready), []);
  });

  it("is held up by each thing that is not", () => {
    const only = (change: Partial<typeof ready>) => {
      const faults = releaseFaults({ ...ready, ...change });
      assert.equal(faults.length, 1);
      return faults[0];
    };
    assert.match(only({ uncommitted: 2 }), /^2 files are not committed/);
    assert.match(only({ tags: ["v1.2.3"] }), /tagged already/);
    assert.match(only({ tags: ["v1.10.0", "v1.2.2", "vintage"] }), /^v1\.10\.0 is newer than 1\.2\.3$/);
    assert.match(only({ changelog: "## 1.2.3 (unreleased)\n" }), /begins with "## 1\.2\.3 \(unreleased\)"/);
    assert.match(only({ changelog: "## 1x2y3 (2026-11-20)\n" }), /^CHANGELOG\.md begins/);
    assert.match(only({ version: "1.2" }), /not a semantic version/);
  });

  it("orders versions as semantic versions are ordered", () => {
    const inOrder = [
      "0.9.0",
      "1.0.0-alpha",
      "1.0.0-alpha.1",
      "1.0.0-alpha.beta",
      "1.0.0-beta.2",
      "1.0.0-beta.11",
      "1.0.0-rc.1",
      "1.0.0",
      "1.2.0",
      "1.10.0",
    ];
    for (const [i, a] of inOrder.entries()) {
      for (const [j, b] of inOrder.entries())
        assert.equal(Math.sign(compareVersions(a, b)), Math.sign(i - j), `${a} ${b}`);
    }
  });
});
