// For those who divide the machine's cores between pools.
export {
  availableCores,
  type BudgetSplit,
  CoreBudget,
  type WorkerGrant,
  type WorkerRequest,
  waitingWorkers,
} from "./cores/core-budget.ts";
