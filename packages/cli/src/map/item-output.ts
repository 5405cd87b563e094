import { isUtf8 } from "node:buffer";
import { hasFailed, type ItemRun, type MapItem, shortened } from "@coppice/workbench/command-map";
import { printBytes, printJsonLine, tell } from "../print.ts";

export interface OutputStyle {
  readonly json: boolean;
  readonly tag: boolean;
}

/** Prints what an item's command printed, as if the items had been run one by one. */
export function printItem({ item, number }: MapItem, run: ItemRun, { json, tag }: OutputStyle): void {
  const stdout = Buffer.from(run.stdout);
  const stderr = Buffer.from(run.stderr);
  if (json) {
    const { exitCode, signal, problem, attempts } = run;
    const outputs = { ...outputField("stdout", stdout), ...outputField("stderr", stderr) };
    printJsonLine({
      number,
      item,
      exitCode,
      signal,
      ...(problem === undefined ? {} : { problem }),
      attempts,
      ...outputs,
    });
    return;
  }
  printBytes("stdout", tag ? tagged(item, stdout) : stdout);
  printBytes("stderr", tag ? tagged(item, stderr) : stderr);
  if (run.problem !== undefined && hasFailed(run)) tell(`coppice: item ${number} (${shortened(item)}): ${run.problem}`);
}

function outputField(name: "stdout" | "stderr", bytes: Buffer): Readonly<Record<string, string>> {
  return isUtf8(bytes) ? { [name]: bytes.toString("utf8") } : { [`${name}Base64`]: bytes.toString("base64") };
}

/** Every line begins with the item and a tab; line breaks in the item are spaces. */
function tagged(item: string, bytes: Buffer): Buffer {
  if (bytes.length === 0) return bytes;
  const tag = Buffer.from(`${item.replaceAll(/[\r\n\t]+/g, " ")}\t`);
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(10, at);
    const next = end < 0 ? bytes.length : end + 1;
    parts.push(tag, bytes.subarray(at, next));
    at = next;
  }
  return Buffer.concat(parts);
}
