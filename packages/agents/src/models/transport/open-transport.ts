import { LiveGroups } from "@coppice/engine/child-process";
import { ModelError } from "../contract.ts";
import type { Provider } from "../models-file.ts";
import type { Transport } from "./transport.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** The transport to a provider; loads what it needs only now. A provider whose key is missing is never asked. */
export async function openTransport(provider: Provider, name: string, environment: Environment): Promise<Transport> {
  if ("command" in provider) {
    const { CommandTransport } = await import("./command.ts");
    return new CommandTransport(provider, new LiveGroups());
  }
  if ("demo" in provider) {
    const { DemoTransport } = await import("./demo.ts");
    return DemoTransport.start();
  }
  const key = provider.keyVariable === undefined ? undefined : environment[provider.keyVariable]?.trim();
  if (provider.keyVariable !== undefined && (key === undefined || key === "")) {
    throw new ModelError("NoKey", `no key for provider ${name}: set ${provider.keyVariable}`);
  }
  const { HttpTransport } = await import("./http.ts");
  return new HttpTransport(provider, key);
}
