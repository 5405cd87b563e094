// For those who divide what the machine has between pools: cores, and open files.

export { openFileLimit, workersWithin } from "../machine/open-files.ts";
export {
  availableCores,
  type BudgetSplit,
  CoreBudget,
  type WorkerGrant,
  type WorkerRequest,
  waitingWorkers,
} from "./core-budget.ts";
