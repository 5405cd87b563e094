import type { ToolTab } from "../tools.tsx";

/** What runs of `coppice flow plan` show. */
export const flowTabs: readonly ToolTab[] = [];
