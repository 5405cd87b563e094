import { styled } from "@coppice/engine/printable";
import {
  coresFinding,
  descriptorFinding,
  type Finding,
  memoryFinding,
  nodeFinding,
  programFindings,
  wantedPrograms,
} from "@coppice/workbench/machine";
import { exitCode } from "../exit-code.ts";
import { ownPackage } from "../own-package.ts";
import { print, printJson } from "../print.ts";
import { placeFindings } from "./places.ts";

interface DoctorFlags {
  readonly runDir: string;
  readonly json?: boolean;
}

/** `coppice doctor`: exit code 1 when something is broken without which nothing runs. */
export async function examine({ runDir, json }: DoctorFlags): Promise<void> {
  const { version, engines } = ownPackage();
  const [node, programs] = await Promise.all([nodeFinding(engines.node), programFindings(wantedPrograms, process.env)]);
  const machine = [node, coresFinding(), memoryFinding(), descriptorFinding()];
  const places = await placeFindings(runDir, process.env);
  const findings = [...machine, ...programs, ...places];
  const broken = findings.filter(({ needed, state }) => needed && state === "broken");
  if (json === true) printJson({ version, ok: broken.length === 0, findings });
  else print(`${doctorText(version, { machine, programs, places }, broken.length)}\n`);
  if (broken.length > 0) process.exitCode = exitCode.failed;
}

type Groups = Readonly<Record<"machine" | "programs" | "places", readonly Finding[]>>;

function doctorText(version: string, { machine, programs, places }: Groups, broken: number): string {
  const groups = [
    [`coppice ${version} on this machine`, machine],
    ["programs that some commands use", programs],
    ["what is written where", places],
  ] as const;
  const width = Math.max(...[...machine, ...programs, ...places].map(({ name }) => name.length));
  const text = groups.map(([title, findings]) =>
    [styled("bold", title), ...findings.map((finding) => findingText(finding, width))].join("\n"),
  );
  const things = broken === 1 ? "1 thing is" : `${broken} things are`;
  return [...text, broken === 0 ? "everything needed is there" : `${things} broken: see ✗ above`].join("\n\n");
}

const MARK = { good: "✓", note: "!", missing: "-", broken: "✗" } as const;

function findingText({ name, state, says, advice }: Finding, width: number): string {
  const line = `${MARK[state]} ${name.padEnd(width)}  ${says}`;
  return advice === undefined ? line : `${line}\n  ${" ".repeat(width)}  → ${advice}`;
}
