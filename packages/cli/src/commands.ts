import type { Command } from "commander";

/** Adds one or more commands to the program. Imports nothing heavy: the action does, when it is called. */
type Register = (program: Command) => void;

/**
 * Every command and where it is defined. Only the module of the command that was typed is loaded, so that starting
 * `coppice` does not get slower with each tool. A tool folder exports `registerX(program)` from a small module (usually
 * `register.ts`) and has one line here per top-level command it adds. Help lists them in this order.
 */
export const commands: Readonly<Record<string, () => Promise<Register>>> = {
  init: async () => (await import("./init/register.ts")).registerInit,
  demo: async () => (await import("./demo/register.ts")).registerDemo,
  run: async () => (await import("./run/register.ts")).registerRun,
  map: async () => (await import("./map/register.ts")).registerMap,
  runs: async () => (await import("./records/register.ts")).registerRuns,
  show: async () => (await import("./records/register.ts")).registerShow,
  watch: async () => (await import("./records/register.ts")).registerWatch,
  resume: async () => (await import("./records/register.ts")).registerResume,
  verify: async () => (await import("./records/register.ts")).registerVerify,
  diff: async () => (await import("./records/register.ts")).registerDiff,
  studio: async () => (await import("./studio/register.ts")).registerStudio,
  doctor: async () => (await import("./doctor/register.ts")).registerDoctor,
  completion: async () => (await import("./completion/register.ts")).registerCompletion,
  worker: async () => (await import("./cluster/register.ts")).registerWorker,
  workers: async () => (await import("./cluster/register.ts")).registerWorkers,
  cluster: async () => (await import("./cluster/register.ts")).registerCluster,
  bench: async () => (await import("./bench/register.ts")).registerBench,
  ask: async () => (await import("./consult/ask-command.ts")).registerAsk,
  council: async () => (await import("./consult/council-command.ts")).registerCouncil,
  digest: async () => (await import("./consult/digest-command.ts")).registerDigest,
  swarm: async () => (await import("./consult/swarm-command.ts")).registerSwarm,
  flow: async () => (await import("./flow/index.ts")).registerFlow,
  hooks: async () => (await import("./hooks/register.ts")).registerHooks,
  mcp: async () => (await import("./mcp/register.ts")).registerMcp,
  tree: async () => (await import("./tree/register.ts")).registerTree,
  tune: async () => (await import("./tune/register.ts")).registerTune,
};
