import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { manifestRule, marketplaceRule, skillRule } from "./plugin-rules.ts";
import { installPlugin } from "./stand-in.ts";

const CLONE = fileURLToPath(new URL("../../../../", import.meta.url));
const COPPICE = join(CLONE, "packages/cli/bin/coppice.js");

/** A cache for the plugin and a project, with or without coppice among its dependencies. */
function places(t: TestContext, { installed }: { readonly installed: boolean }) {
  const place = mkdtempSync(join(tmpdir(), "coppice-plugin-"));
  t.after(() => rmSync(place, { recursive: true, force: true }));
  const project = join(place, "project");
  mkdirSync(join(project, "node_modules", ".bin"), { recursive: true });
  if (installed) symlinkSync(COPPICE, join(project, "node_modules", ".bin", "coppice"));
  const node = join(process.execPath, "..");
  const env = { HOME: place, CLAUDE_PROJECT_DIR: project, PATH: `${node}:/usr/bin:/bin` };
  return { project, env, plugin: installPlugin(CLONE, "coppice", join(place, "cache")) };
}

describe("the plugin", () => {
  it("keeps the published rules, and has what it promises", (t) => {
    const { plugin } = places(t, { installed: false });
    const { version } = JSON.parse(readFileSync(join(CLONE, "packages/cli/package.json"), "utf8")) as {
      version: string;
    };
    assert.equal(plugin.version, version);
    assert.deepEqual(
      [...plugin.commands].sort(),
      ["council", "digest", "hooks", "runs", "swarm", "tree"].map((name) => `/coppice:${name}`),
    );
    assert.deepEqual([...plugin.skills].sort(), ["coppice:digest-files", "coppice:idea-tree", "coppice:many-opinions"]);
    assert.deepEqual(
      plugin.hooks.map(({ event, matcher }) => [event, matcher]),
      [["SessionStart", "startup"]],
    );
    assert.deepEqual(Object.keys(plugin.servers), ["coppice"]);
  });

  it("would not pass with what an agent refuses", () => {
    const manifest = JSON.parse(readFileSync(join(CLONE, "plugin/.claude-plugin/plugin.json"), "utf8")) as object;
    assert.ok(manifestRule.safeParse(manifest).success);
    for (const wrong of [
      { name: "My Plugin" },
      { hook: {} },
      { commands: "../up" },
      { version: "1" },
      { author: "me" },
    ]) {
      assert.ok(!manifestRule.safeParse({ ...manifest, ...wrong }).success, JSON.stringify(wrong));
    }
    const offers = JSON.parse(readFileSync(join(CLONE, ".claude-plugin/marketplace.json"), "utf8")) as object;
    for (const wrong of [
      { name: "claude-code-plugins" },
      { owner: {} },
      { plugins: [] },
      { plugins: [{ name: "x" }] },
    ]) {
      assert.ok(!marketplaceRule.safeParse({ ...offers, ...wrong }).success, JSON.stringify(wrong));
    }
    assert.ok(!skillRule.safeParse({ name: "x", description: "<b>" }).success);
  });

  it("brings a server that speaks the protocol, by the project's own coppice", async (t) => {
    const { plugin, project, env } = places(t, { installed: true });
    const { command, args } = plugin.servers.coppice;
    const client = new Client({ name: "stand-in", version: "1.0.0" });
    await client.connect(new StdioClientTransport({ command, args: [...args], cwd: project, env }));
    t.after(() => client.close());
    const { tools } = await client.listTools();
    // Every tool that a command or a skill speaks of is there.
    const texts = ["commands", "skills"].flatMap((part) =>
      readdirSync(join(plugin.root, part), { recursive: true, encoding: "utf8" })
        .filter((file) => file.endsWith(".md"))
        .map((file) => readFileSync(join(plugin.root, part, file), "utf8")),
    );
    const named = [...texts.join("\n").matchAll(/`(ask|council|swarm|digest|runs|show|resume|tree_\w+)`/g)];
    const names = tools.map(({ name }) => name);
    assert.deepEqual(
      [...new Set(named.map(([, name]) => name))].filter((name) => !names.includes(name)),
      [],
    );
    assert.ok(named.length > 8);
  });

  for (const installed of [true, false]) {
    it(`has a hook that is quiet in a project ${installed ? "with" : "without"} coppice`, (t) => {
      const { plugin, project, env } = places(t, { installed });
      for (const { event, command } of plugin.hooks) {
        const input = JSON.stringify({ session_id: "s", cwd: project, hook_event_name: event, source: "startup" });
        const { status, stdout, stderr } = spawnSync("/bin/sh", ["-c", command], {
          cwd: project,
          env,
          input,
          encoding: "utf8",
        });
        assert.deepEqual([status, stdout, stderr], [0, "", ""]);
      }
      assert.deepEqual(readdirSync(project), ["node_modules"]);
    });
  }

  it("says how to install coppice where the server cannot find it", (t) => {
    const { plugin, project, env } = places(t, { installed: false });
    const { command, args } = plugin.servers.coppice;
    const { status, stdout, stderr } = spawnSync(command, args, { cwd: project, env, encoding: "utf8" });
    assert.deepEqual([status, stdout], [1, ""]);
    assert.match(stderr, /npm install --save-dev coppice/);
  });
});
