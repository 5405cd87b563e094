// The kinds of pools there are and what a pool is, without what they are made of: for commands that name them, and for
// those who make one.
export type {
  DiskNeeds,
  EvaluatorName,
  FailureDetail,
  Pool,
  PoolFactory,
  PoolJob,
  PoolListener,
  PoolResult,
  PoolTask,
  WorkerIdentity,
} from "./contract/pool.ts";
export { claimProcess } from "./pools/claimed-process.ts";
export {
  DEFAULT_POOL,
  type PoolKind,
  type PoolSetting,
  poolKind,
  poolKinds,
  poolOf,
  recordedPool,
  registerPool,
} from "./pools/registry.ts";
