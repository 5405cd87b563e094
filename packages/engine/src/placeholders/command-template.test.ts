import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import fc from "fast-check";
import { soak } from "../../test/soak.ts";
import { shellWord } from "../child-process/command-line.ts";
import { type CommandTemplate, fillTemplate, templateProblem } from "./command-template.ts";
import { CommandError } from "./word.ts";

const place = mkdtempSync(join(tmpdir(), "coppice-template-"));
after(() => rmSync(place, { recursive: true, force: true }));
const bin = join(place, "bin");
const heard = join(place, "heard");
spawnSync("mkdir", [bin]);
// Says into a file what it was given, however its output is redirected.
writeFileSync(join(bin, "dump"), `#!/bin/sh\nprintf '%s\\0' "$@" >>'${heard}'\n`);
chmodSync(join(bin, "dump"), 0o755);
symlinkSync("/bin/sh", join(bin, "sh"));
symlinkSync("/usr/bin/env", join(bin, "env"));
const shells = ["/bin/sh", "/bin/bash"].filter((shell) => existsSync(shell));

const template = (command: string | readonly string[]): CommandTemplate => ({
  command,
  isPlaceholder: (name) => name === "p" || name === "folder",
  folders: ["folder"],
  variable: (name) => `COPPICE_TEST_${name.toUpperCase()}`,
  environment: { PATH: bin },
  untrustedInput: false,
});

/** What `dump` was given by every command in a line, and whether the value was run. */
function received(command: string | readonly string[], value: string, shell = "/bin/sh") {
  const filled = fillTemplate(template(command), () => value);
  rmSync(heard, { force: true });
  rmSync(join(place, "canary"), { force: true });
  const [file, args] =
    filled.command.kind === "shell" ? [shell, ["-c", filled.command.line]] : [filled.command.file, filled.command.args];
  const env = { PATH: bin, ...filled.variables };
  const { error } = spawnSync(file === "dump" ? join(bin, "dump") : file, args, { cwd: place, env, stdio: "ignore" });
  if (error !== undefined && (error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  const args_ = existsSync(heard) ? readFileSync(heard, "utf8").split("\0").slice(0, -1) : [];
  return { words: args_, ran: existsSync(join(place, "canary")), shell: filled.command.kind === "shell" };
}

/** Values that a shell would do something with; whichever of it ran would leave a file called canary. */
const hostile = fc
  .array(
    fc.constantFrom(
      ..."' \" ` $ \\ * ? ~ ! # { } ( ) [ ] < > | & ; = - \n \t a é 𝄞 \u0007 \u202e".split(" "),
      " ",
      "\n",
      "$(>canary)",
      "`>canary`",
      ";>canary;",
      "\n>canary\n",
      "' >canary '",
      '" >canary "',
      "&&>canary",
      "|>canary",
      "a[$(>canary)]",
      "--x",
      "../",
      "{p}",
      "$COPPICE_TEST_P",
      "%s\\0",
    ),
    { minLength: 1, maxLength: 8 },
  )
  .map((parts) => parts.join(""));

describe("a command with placeholders", () => {
  it("hands a value over as it is, in every form that it accepts", () => {
    const forms: readonly (readonly [string | readonly string[], (value: string) => readonly string[]])[] = [
      [["dump", "{p}", "a/{p}/b", "--x={p}"], (v) => [v, `a/${v}/b`, `--x=${v}`]],
      [["sh", "-c", 'dump "$1"', "sh", "{p}"], (v) => [v]],
      [["{folder}/bin/dump", "x"], () => ["x"]],
      ["dump {p}", (v) => [v]],
      ["dump \"{p}\" '{p}' pre{p} '{{p}}'", (v) => [v, v, `pre${v}`, "{p}"]],
      ["dump {p} | dump x", (v) => [v, "x"]],
      ['dump "{p}" "a {p} b"pre{p} && dump done', (v) => [v, `a ${v} bpre${v}`, "done"]],
      ['X={p} Y="$(dump {p})"; dump "$X"', (v) => [v, v]],
      ["if true; then dump it\\'s {p} 2>/dev/null >&1; fi # {p} isn't read", (v) => ["it's", v]],
      ['{ dump "$(dump "{p}" ")")"; }; ( dump {p} )', (v) => [v, ")", "", v]],
      ['sh -c \'dump "$1" "$0"\' {p} {p} && true', (v) => [v, v]],
      ["true && env A=1 sh -c 'dump \"$1\"' sh {p}", (v) => [v]],
      ["if [ {p} = x ] || test {p} != y; then :; fi; { [ -n {p} ] && dump {p}; }", (v) => [v]],
      [`X=x; dump \${X:+--resume "$X"} "\${Y:-a $X}" {p} | cat`, (v) => ["--resume", "x", "a x", v]],
      ['case {p} in {p}) dump same {p};; *) dump "other" ;; esac', (v) => ["same", v]],
      ['for x in {p} "b {p}"; do dump "$x"; done', (v) => [v, `b ${v}`]],
    ];
    fc.assert(
      fc.property(hostile, (value) => {
        for (const [form, expected] of forms) {
          const folder = typeof form !== "string" && form[0].startsWith("{folder}");
          for (const shell of shells) {
            const { words, ran } = received(form, folder ? place : value, shell);
            assert.deepEqual(
              [words.toSorted(), ran],
              [expected(value).toSorted(), false],
              JSON.stringify([form, value]),
            );
            if (typeof form !== "string") break;
          }
        }
      }),
      { numRuns: soak(4, 200) },
    );
  });

  it("refuses, before anything runs, every form in which a value would be code or would not arrive", () => {
    const refused = [
      "x | agent '{p}'",
      "x; agent `cat {p}`",
      `agent \${X:-{p}} | cat`,
      "agent <<E | cat\n{p}\nE",
      "cat <<< {p}",
      "agent >& {p}",
      "agent 2>&x{p} | cat",
      'X={p}; agent >& "$X"',
      "agent <&{p}",
      "x | agent $'a{p}'",
      "echo $(({p} + 1))",
      "x; [[ {p} -eq 1 ]]",
      "(( {p} )); x",
      "diff <(echo {p}) x",
      'bash -c "agent {p}"',
      'x | bash -lc "agent {p}"',
      'env A=1 sh -c "agent {p}"',
      'timeout 5 /usr/bin/bash -o pipefail -ec "agent {p}" x',
      'xargs sh -c "agent {p}"',
      "printf %s {p} | xargs -I% sh -c 'agent %'",
      'find . -exec sh -c "agent {p}" ";"',
      'docker run image sh -c "agent {p}"',
      "$SHELL -c {p}",
      "sh -c $EMPTY {p}",
      "$EMPTY eval {p}",
      "$EMPTY {p}",
      "$(echo {p})",
      '"$(cat < {p})" x | cat',
      'x; sh -c "$(cat {p})"',
      'X={p}; eval "$X"',
      "X={p}; $X",
      'while x; do sh -c "$X"; X={p}; done',
      `X={p}; Y="a $X"; bash -c "\${Y:-b}"`,
      'for x in {p}; do sh -c "$x"; done',
      'set -- {p}; sh -c "$1"',
      "echo {p} | while read -r x; do $x; done",
      'f() { eval "$1"; }; f {p}',
      ". {p}",
      "source {p}; x",
      "printf '%s\\0' {p} | xargs -0 -n1 sh -c",
      "printf %s {p} | xargs -n 1 sh",
      "printf %s {p} | xargs env A=1",
      "printf %s {p} | xargs python3 -c",
      "printf %s {p} | xargs ssh host",
      "printf %s {p} | xargs -I % % x",
      "printf %s {p} | xargs awk -F :",
      "printf %s {p} | xargs $PROGRAM",
      "git -c alias.x=!{p} x",
      "git config alias.x {p}",
      "GIT_SSH_COMMAND={p} git fetch",
      "env GIT_PAGER={p} git log",
      "export PATH={p}:$PATH; x",
      "tar --use-compress-program={p} -xf x",
      "tar --use-compress-program {p} -xf x",
      "tar -I {p} -xf x",
      "tar --checkpoint-action=exec={p} -cf x y",
      "rsync -e {p} a b",
      "find . -exec {p} ';'",
      "eval agent {p}",
      'x && eval "agent {p}"',
      "trap {p} EXIT",
      "let {p}; x",
      "export {p}; x",
      "[ -v {p} ] && x",
      'ssh host "agent {p}"',
      "ssh host agent {p}",
      "watch agent {p}",
      'su someone -c "agent {p}"',
      'python3 -c "print({p})"',
      'x | python3.12 -Ic "print({p})"',
      'node -e "log({p})"',
      'node --import x --eval="log({p})"',
      'perl -ne "print {p}"',
      'perl -e"print {p}"',
      'ruby -e 1 -e "{p}"',
      'awk "{p}"',
      "awk -F: {p} file",
      'sed "s/x/{p}/"',
      'sed -e 1 -e "s/x/{p}/" | cat',
      "make all X={p}",
      'env -S "agent {p}"',
      "echo {p} | sh",
      "echo {p} | bash -s",
      "echo {p} | python3 -",
      "sh {p}",
      "{p}",
      "{p}/x",
      "x; {p} y",
      'x "{p}',
      "x $(y {p}",
      "x | y '{p}",
    ];
    for (const command of refused) {
      assert.notEqual(templateProblem(template(command)), undefined, command);
      assert.throws(() => fillTemplate(template(command), () => "v"), CommandError);
    }
    for (const list of [
      ["bash", "-c", "agent {p}"],
      ["env", "sh", "-c", "x {p}"],
      ["node", "-e", "{p}"],
      ["{p}"],
      ["sh", "{p}"],
      ["git", "-c", "alias.x=!{p}", "x"],
      ["env", "GIT_SSH_COMMAND={p}", "git", "fetch"],
    ]) {
      assert.notEqual(templateProblem(template(list)), undefined, JSON.stringify(list));
    }
    assert.equal(
      templateProblem(template('bash -c "agent {p}"')),
      "{p}: bash would run it as code: give it to the script as an argument: bash -c '… \"$1\"' sh {p}",
    );
  });

  it("accepts what resembles those forms and runs nothing of a value", () => {
    for (const command of [
      "printf '%s\\0' {p} | xargs -0 -n1 sh -c 'agent \"$1\"' sh",
      "printf %s {p} | xargs -n 1 agent --x",
      "printf %s {p} | xargs",
      "printf %s {p} | xargs -I% agent %",
      "printf %s {p} | xargs awk -f x.awk",
      "printf %s {p} | xargs perl -ne 'print'",
      "git -c user.name={p} commit -m {p}",
      "git commit --message={p}",
      "PATH={folder}/bin:$PATH agent {p}",
      'W={folder}; "$W"/bin/agent {p} | cat',
      '"$(realpath {folder})"/bin/agent {p}',
      ". ./settings.sh && agent {p}",
      'X={p}; agent "$X"; sh -c \'agent "$1"\' sh "$X"',
      "X={p}; Y=sh; $Y script.sh",
      "tar -czf x {p}",
      "agent eval && cd {folder}",
    ]) {
      assert.equal(templateProblem(template(command)), undefined, command);
    }
  });

  it("refuses a program that would run what it reads, where text from outside is what it reads", () => {
    const reads = (command: string) => templateProblem({ ...template(command), untrustedInput: true });
    for (const command of [
      "sh",
      "bash -s",
      "x | sh",
      "python3",
      "python3 -",
      "ssh host",
      "xargs -I% sh -c 'a %'",
      "xargs -0 sh -c",
    ]) {
      assert.notEqual(reads(command), undefined, command);
    }
    for (const command of [
      "agent",
      "sh script.sh",
      "ssh host agent",
      "sh -c 'agent'",
      "agent <<< $((1))",
      "xargs -0 agent",
    ]) {
      assert.equal(reads(command), undefined, command);
    }
  });

  it("refuses a value that no argument can hold", () => {
    for (const command of ["agent {p}", "agent {p} | cat", ["agent", "{p}"]]) {
      const fill = (value: string) => () => fillTemplate(template(command), () => value);
      assert.throws(fill("a\0b"), /zero byte/);
      assert.throws(fill("\ud800"), /not valid Unicode/);
      assert.throws(fill("é".repeat(70_000)), /too long for an argument \(1400\d\d bytes of 131071\)/);
      assert.doesNotThrow(fill("x".repeat(131_000)));
    }
  });

  it("runs nothing of a value in lines put together at random, and hands it over whole or refuses", () => {
    const piece = fc.constantFrom(
      ..."dump dump {p} {p} {p} {p} \" \" ' ' ` $( ) ( { } \\ ; | & # $X [[ $(( )) << < > = case in ;; esac".split(" "),
      ...`eval sh\u00a0-c if then fi for x do done $ $' {{p}} ! -v x= export trap \${X} \${`.split(" "),
      "\n",
    );
    const shellOnly = (line: string) => ({ ...template(line), environment: undefined });
    const word = fc.tuple(piece, fc.constantFrom("", " ", " ")).map((parts) => parts.join("").replace("\u00a0", " "));
    const lines = fc
      .sample(fc.array(word, { minLength: 2, maxLength: 12 }), soak(2500, 50_000))
      .map((parts) => `dump ${parts.join("")}`)
      .filter((line) => line.includes("{p}") && templateProblem(shellOnly(line)) === undefined);
    assert.ok(lines.length > 100, `only ${lines.length} lines were accepted`);
    const value = "S$(>canary)`>canary`;>canary\n>canary;' >canary '\" >canary \"*a[$(>canary)]E";
    /** Runs lines one after the other in one shell, which forks for each. */
    const outcome = (some: readonly string[], shell: string) => {
      rmSync(heard, { force: true });
      rmSync(join(place, "canary"), { force: true });
      const filled = some.map((line) => fillTemplate(shellOnly(line), () => value));
      const script = filled.map(
        ({ command }) => `( eval ${shellWord(command.kind === "shell" ? command.line : "")} )\n`,
      );
      const env = { PATH: bin, COPPICE_TEST_P: value };
      writeFileSync(join(place, "script"), script.join(""));
      spawnSync(shell, [join(place, "script")], { cwd: place, env, stdio: "ignore" });
      const words = existsSync(heard) ? readFileSync(heard, "utf8").split("\0") : [];
      const whole = words.every((each) => !each.replaceAll(value, "").includes(">canary"));
      return { holds: whole && !existsSync(join(place, "canary")), words: words.length };
    };
    for (const shell of shells) {
      const { holds, words } = outcome(lines, shell);
      const culprit = holds ? undefined : lines.find((line) => !outcome([line], shell).holds);
      assert.ok(holds, `${shell}: ${JSON.stringify(culprit)}`);
      assert.ok(words > 50, `only ${words} words arrived`);
    }
  });
});
