// Writes docs/commands.md from what the commands say of themselves.
import { writeFileSync } from "node:fs";
import { commandsPage } from "./commands-page.ts";

writeFileSync(new URL("../../../docs/commands.md", import.meta.url), await commandsPage());
