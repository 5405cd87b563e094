import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

/**
 * Where process numbers mean what they mean here: this boot of this machine, this process namespace (every container has
 * one) and the clock that start times are counted by. Two processes with one place can look each other up; undefined
 * where this process cannot even look up itself.
 */
export function processPlace(): string | undefined {
  place ??= { name: process.platform === "linux" ? placeOnLinux() : `${process.platform} ${hostname()}` };
  return place.name;
}

let place: { readonly name: string | undefined } | undefined;

function placeOnLinux(): string | undefined {
  try {
    // A /proc of another namespace shows other processes under our numbers.
    if (readlinkSync("/proc/self") !== String(process.pid)) return undefined;
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim();
    return [boot, readlinkSync("/proc/self/ns/pid"), timeNamespace()].join(" ");
  } catch {
    return undefined;
  }
}

/** Kernels before 5.6 have only one. */
function timeNamespace(): string {
  try {
    return readlinkSync("/proc/self/ns/time");
  } catch {
    return "time:[]";
  }
}
