import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";

/** The oldest Node that the packages work with, and the newest there is; the clone's own is between them. */
export const OLDEST = "22.18.0";
export const NEWEST = "26.10.0";
/** One that is too old, to hear what it is told. */
export const TOO_OLD = "20.20.2";

/** A Node of that version, installed beside the workspace's dependencies the first time. */
export function nodeOf(version: string, workspace: string): string {
  const place = join(workspace, "node_modules", ".cache", "coppice-nodes", version);
  const name = `node-${process.platform}-${process.arch}`;
  const node = join(place, "node_modules", name, "bin", "node");
  if (!existsSync(node)) {
    mkdirSync(place, { recursive: true });
    const args = ["install", "--no-save", "--no-audit", "--no-fund", "--loglevel=error", "--ignore-scripts"];
    const done = spawnSync("npm", [...args, "--prefix", place, `${name}@${version}`], { encoding: "utf8" });
    if (done.status !== 0) throw new Error(`Node ${version} could not be installed: ${done.stderr}`);
  }
  return node;
}

/** Whether npm has packages of Node for this machine. */
export const canHaveNodes = process.platform === "linux" && ["x64", "arm64"].includes(process.arch);
