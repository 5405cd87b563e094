import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** What a behaviour comes to: a value, or how its failure reads. */
interface Meaning {
  readonly value?: unknown;
  readonly failure?: RegExp;
}

/**
 * Programs of a shell that do what the candidate says, in both modes. What each comes to is written down here, by hand:
 * the twin that every pool is compared with.
 */
export const behaviours: Readonly<Record<string, Record<"once" | "lines", Meaning>>> = {
  answer: both({ value: { from: '$HOME `id` \u00e9 "quoted"' } }),
  "zero is a value": both({ value: 0 }),
  "null is a value": both({ value: null }),
  exit: both({ failure: /^CommandFailed: .* ended with exit code 3: first line \| leaving now$/ }),
  "end quietly": both({ failure: /^CommandFailed: .* ended without an answer$/ }),
  killed: both({ failure: /^CommandFailed: .* was ended by SIGKILL$/ }),
  "half an answer": {
    once: { failure: /printed .* which is not one JSON value$/ },
    lines: { failure: /^CommandFailed: .* ended without an answer$/ },
  },
  rubbish: both({ failure: /^CommandFailed: .* printed "rubbish \u00ff?.*", which is not one JSON value$/ }),
  flood: both({ failure: /^CommandFailed: .* printed more than 65536 bytes/ }),
  nan: both({ failure: /JSON has no NaN and no Infinity: print null, or fail/ }),
  twice: { once: { failure: /"1 2", which is not one JSON value$/ }, lines: { value: 1 } },
  "close its input": both({ value: 7 }),
  "leaves a child": both({ value: "left" }),
  "loud on standard error": both({ value: "loud" }),
  hang: both({ failure: /^Timeout: no result within \d+ ms$/ }),
  "answer too late": both({ failure: /^Timeout: no result within \d+ ms$/ }),
};

function both(meaning: Meaning): Record<"once" | "lines", Meaning> {
  return { once: meaning, lines: meaning };
}

const DO = `
act() {
  case $1 in
    *'"answer"'*) say '{"from":"$HOME \`id\` \u00e9 \\"quoted\\""}';;
    *'"zero is a value"'*) say 0;;
    *'"null is a value"'*) say null;;
    *'"exit"'*) echo 'first line' >&2; echo >&2; echo 'leaving now' >&2; exit 3;;
    *'"end quietly"'*) exit 0;;
    *'"killed"'*) kill -9 $$;;
    *'"half an answer"'*) printf '{"id":%s,"val' "$id"; exit 0;;
    *'"rubbish"'*) printf 'rubbish \\377\\n';;
    *'"flood"'*) exec head -c 100000000 /dev/zero;;
    *'"nan"'*) say NaN;;
    *'"twice"'*) both 1 2;;
    *'"close its input"'*) exec <&-; say 7; exit 0;;
    *'"leaves a child"'*) setsid sleep 1000 >/dev/null 2>&1 & say '"left"';;
    *'"loud on standard error"'*) head -c 3000000 /dev/zero >&2; say '"loud"';;
    *'"hang"'*) sleep 1000 & wait;;
    *'"answer too late"'*) trap '' TERM; sleep 1000; say 1;;
  esac
}`;

const ONCE = `#!/bin/sh
id=0
say() { printf '%s\\n' "$1"; }
both() { printf '%s\\n%s\\n' "$1" "$2"; }
${DO}
act "$(cat)"
`;

const LINES = `#!/bin/sh
say() { printf '{"id":%s,"value":%s}\\n' "$id" "$1"; }
both() { printf '{"id":%s,"value":%s}\\n{"id":%s,"value":%s}\\n' "$id" "$1" "$id" "$2"; }
${DO}
while IFS= read -r line; do
  id=\${line#'{"id":'}
  id=\${id%%,*}
  act "$line"
done
`;

/** Writes both programs into a folder, executable. */
export function writeHostilePrograms(folder: string): void {
  for (const [name, text] of Object.entries({ once: ONCE, lines: LINES })) {
    writeFileSync(join(folder, name), text);
    chmodSync(join(folder, name), 0o755);
  }
}
