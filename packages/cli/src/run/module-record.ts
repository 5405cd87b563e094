import { isAbsolute, relative, resolve } from "node:path";
import { type RunFile, type RunOption, UsageError } from "@coppice/engine";

/** What `run.json` keeps of a module's run. */
export interface ModuleRecord {
  /** Relative to the run's directory, so that a project can be moved as a whole. */
  readonly module: string;
  readonly options: Readonly<Record<string, RunOption>>;
}

export function moduleRecord(path: string, directory: string, options: ModuleRecord["options"]): ModuleRecord {
  const place = relative(resolve(directory), path);
  return { module: isAbsolute(place) ? place : place.replaceAll("\\", "/"), options };
}

/** Reads it back. */
export function readModuleRecord({ id, options }: RunFile, directory: string): ModuleRecord {
  const record = options as Partial<ModuleRecord> | null;
  if (typeof record?.module !== "string" || typeof record.options !== "object") {
    throw new UsageError(`run ${id}: its run.json does not say which module it is of`);
  }
  return { module: resolve(directory, record.module), options: record.options };
}
