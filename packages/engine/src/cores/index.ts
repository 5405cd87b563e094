// For those who divide what the machine has between pools: cores, and open files.

export {
  availableCores,
  type BudgetSplit,
  CoreBudget,
  type WorkerGrant,
  type WorkerRequest,
} from "./core-budget.ts";
export { openFileLimit, workersWithin } from "./open-files.ts";
