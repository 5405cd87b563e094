// The kinds of pools there are, without what they are made of: for commands that only have to name them.
export {
  DEFAULT_POOL,
  type PoolKind,
  poolKind,
  poolKinds,
  poolOf,
  recordedPool,
  registerPool,
} from "./pools/registry.ts";
