import { existsSync, readFileSync } from "node:fs";

/** What this command's own package.json says of itself. */
export interface OwnPackage {
  readonly version: string;
  readonly engines: { readonly node: string };
  readonly dependencies: Readonly<Record<string, string>>;
}

/** Found from this module upwards: it is at another depth in a bundle than among the sources. */
export function ownPackage(from = new URL("./package.json", import.meta.url)): OwnPackage {
  if (existsSync(from)) return JSON.parse(readFileSync(from, "utf8"));
  return ownPackage(new URL("../package.json", from));
}
