import type { Program } from "./programs.ts";

/** What some commands use, and where to get it. */
export const wantedPrograms: readonly Program[] = [
  {
    name: "git",
    files: ["git"],
    version: /git version (\S+)/,
    usedBy: "coppice tree needs it",
    advice: "apt install git, or brew install git",
  },
  {
    name: "strace",
    files: ["strace"],
    version: /version (\S+)/,
    usedBy: "coppice hooks trace sees reads with it, otherwise only writes; coppice bench chaos cuts the power with it",
    advice: "apt install strace (Linux only)",
  },
  {
    name: "Redis",
    files: ["redis-server", "valkey-server"],
    version: /v=(\S+)/,
    usedBy: "only for runs on several machines (coppice cluster)",
    advice: "apt install redis-server or valkey, or brew install redis",
  },
  {
    name: "Chromium",
    files: ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"],
    version: /(\d+(?:\.\d+)+)/,
    usedBy: "only tests of pages open it; any browser shows reports",
    advice: "apt install chromium",
  },
  {
    name: "python3",
    files: ["python3"],
    version: /Python (\S+)/,
    usedBy: "only for evaluators written in Python",
    advice: "apt install python3, or brew install python",
  },
];
