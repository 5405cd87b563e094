// What the stand-ins have in common: flags, the prompt, and the edit that stands for thinking.
import { readFileSync, writeFileSync } from "node:fs";
import { isatty } from "node:tty";

/** Flags with a value, flags without one, and the rest; a flag that the program does not have ends it. */
export function flagsOf(args, { valued, plain, wrongUsage = 1 }) {
  const flags = {};
  const rest = [];
  for (let at = 0; at < args.length; at++) {
    const [name, inline] = args[at].split(/=(.*)/s);
    if (valued.includes(name)) flags[name] = inline ?? args[++at];
    else if (plain.includes(name)) flags[name] = true;
    else if (name.startsWith("-") && name !== "-") fail(`error: unknown option '${name}'`, wrongUsage);
    else rest.push(args[at]);
  }
  return { flags, rest };
}

export function fail(line, code) {
  process.stderr.write(`${line}\n`);
  process.exit(code);
}

/** What came by standard input; nothing from a terminal. Whoever touches `process.stdin` cannot wait for a slow pipe. */
export function standardInput() {
  return isatty(0) ? "" : readFileSync(0, "utf8");
}

/** More than may be asked of it. */
export function isOverLimit(prompt) {
  return /\bbeyond your limit\b/i.test(prompt);
}

/**
 * Does what it was told and says so; without leave to edit it only says what it would have done. Asked to be interrupted by
 * a signal, it does half of it and gets that signal; whoever handles it must end there.
 */
export function work(prompt, mayEdit) {
  if (/\breview\b/i.test(prompt)) return "APPROVE\nISSUES:\nNOTES: fine";
  const [, value] = /value (\d+(?:\.\d+)?)/.exec(prompt) ?? [];
  if (value === undefined) return "I do not know what to do.";
  if (!mayEdit) return `I would set the value to ${value}, but I may not edit files.`;
  const [, signal] = /interrupted by (SIG[A-Z]+)/.exec(prompt) ?? [];
  writeFileSync("value.txt", signal === undefined ? `${value}\n` : "");
  if (signal !== undefined) {
    if (process.listenerCount(signal) === 0) end(signal);
    process.emit(signal);
  }
  return `I have set the value to ${value}.`;
}

/** Ends as a program does that leaves a signal to the system. */
export function end(signal) {
  process.kill(process.pid, signal);
  // It comes a moment later.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

/** Prints an answer; where the prompt says so, only the first half of it. */
export function answer(prompt, text) {
  process.stdout.write(/\bbreak off\b/i.test(prompt) ? text.slice(0, text.length / 2) : text);
}
