#!/usr/bin/env node
// Says clearly when Node is too old, before anything modern is loaded.
if (Number.parseInt(process.versions.node, 10) < 24) {
  console.error(`coppice: needs Node 24 or later, this is ${process.versions.node}; from a clone use "npx coppice"`);
  process.exit(2);
}
await import("../src/main.ts");
