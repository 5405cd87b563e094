import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { TemporaryProject } from "../../test/temporary-project.ts";
import { selectHooks } from "../staging/stage-hooks.ts";
import { readEventSettings } from "./read-settings.ts";
import { placesOf } from "./scopes.ts";
import { describeProblem } from "./settings-problem.ts";

/** Names of the hooks an event sets off, and every problem with its place in the file. */
function read(text: string, event: string, subject?: string) {
  using project = new TemporaryProject();
  const file = project.write(".claude/settings.json", text);
  const settings = readEventSettings(event, placesOf(project.dir, project.env));
  return {
    names: selectHooks(settings.hooks, subject).map((hook) => hook.name),
    problems: settings.problems.map(
      (problem) => `${problem.severity} ${describeProblem(problem).replace(file, "settings.json")}`,
    ),
    hooks: settings.hooks,
  };
}

describe("settings as people have them", () => {
  it("many matchers, one command in several groups", () => {
    const groups = ["mcp__.*", "Write", "Edit", "Bash", "Task", "(Bash|Write|Edit)"].map((matcher) => ({
      matcher,
      hooks: [
        { type: "command", command: `python3 "$CLAUDE_PROJECT_DIR"/.claude/hooks/tier_gate.py`, timeout: 5 },
        { type: "command", command: `python3 "$CLAUDE_PROJECT_DIR"/.claude/hooks/${matcher.replace(/\W/g, "")}.py` },
      ],
    }));
    const text = JSON.stringify(
      { $schema: "x", permissions: { allow: ["Bash(ls:*)"] }, hooks: { PreToolUse: groups } },
      null,
      2,
    );
    assert.deepEqual(read(text, "PreToolUse", "Bash").names, ["tier_gate", "Bash", "BashWriteEdit"]);
    assert.deepEqual(read(text, "PreToolUse", "mcp__db__query").names, ["tier_gate", "mcp__"]);
    assert.deepEqual(read(text, "PreToolUse", "Glob").names, []);
    assert.deepEqual(read(text, "PreToolUse").problems, []);
  });

  it("regular expressions and a session's source", () => {
    const text = `{
  "hooks": {
    "PostToolUse": [{ "matcher": "^(Edit|MultiEdit|Write)$", "hooks": [{ "type": "command", "command": "npx prettier --write ." }] },
                    { "matcher": "Notebook.*|mcp__[a-z]+__write", "hooks": [{ "type": "command", "command": "./nb.sh" }] },
                    { "matcher": "[", "hooks": [{ "type": "command", "command": "./always.sh" }] }],
    "SessionStart": [{ "matcher": "startup|resume", "hooks": [{ "type": "command", "command": "git status --short" }] }]
  }
}`;
    assert.deepEqual(read(text, "PostToolUse", "MultiEdit").names, ["npx", "always"]);
    assert.deepEqual(read(text, "PostToolUse", "mcp__fs__write").names, ["nb", "always"]);
    assert.match(
      read(text, "PostToolUse").problems.join(),
      /^error settings\.json:5: hooks\.PostToolUse\[2\]\.matcher: not a valid/,
    );
    assert.deepEqual(read(text, "SessionStart", "resume").names, ["git"]);
    assert.deepEqual(read(text, "SessionStart", "clear").names, []);
  });

  it("a plugin's hooks file, other kinds of hooks, programs with arguments, asynchronous ones", () => {
    const root = ["$", "{CLAUDE_PLUGIN_ROOT}"].join("");
    const text = JSON.stringify({
      description: "a plugin",
      hooks: {
        SessionStart: [
          { matcher: "*", hooks: [{ type: "command", command: `"${root}/hooks/session-start.sh"`, async: true }] },
        ],
        Stop: [
          {
            hooks: [
              { type: "prompt", prompt: "Is it finished? $ARGUMENTS" },
              { type: "http", url: "http://127.0.0.1:9/x" },
              { type: "command", command: "node", args: ["hooks/stop me.mjs"], timeout: 0.5 },
              { type: "comand", command: "./typo.sh" },
            ],
          },
        ],
      },
    });
    const start = read(text, "SessionStart", "startup");
    assert.deepEqual([start.names, start.hooks[0].background], [["session-start"], true]);
    const stop = read(text, "Stop");
    assert.deepEqual(
      [stop.names, stop.hooks[0].args, stop.hooks[0].timeoutMs],
      [["stop-me"], ["hooks/stop me.mjs"], 500],
    );
    assert.deepEqual(stop.problems, [
      'warning settings.json:1: hooks.Stop[0].hooks[0].type: hooks of type "prompt" are left to the agent',
      'warning settings.json:1: hooks.Stop[0].hooks[1].type: hooks of type "http" are left to the agent',
      'error settings.json:1: hooks.Stop[0].hooks[3].type: unknown type "comand"; did you mean "command"?',
    ]);
  });

  it("empty groups, empty lists, nothing at all", () => {
    const empties = [
      "{}",
      '{"hooks":{}}',
      '{"hooks":{"Stop":[]}}',
      '{"hooks":{"Stop":[{}]}}',
      '{"hooks":{"Stop":[{"matcher":"","hooks":[]}]}}',
    ];
    for (const text of [...empties, '{"hooks":{"Stop":null}}'])
      assert.deepEqual(read(text, "Stop"), { names: [], problems: [], hooks: [] }, text);
    const wrong: readonly (readonly [string, string])[] = [
      ["[]", 'error settings.json:1: the file must hold an object, as {"hooks": {…}}'],
      ['{"hooks": []}', 'error settings.json:1: hooks: must be an object with one list per event, as {"Stop": […]}'],
      [
        '{"hooks":\n{"Stop": {}}}',
        'error settings.json:2: hooks.Stop: must be a list of groups, as [{"matcher": "", "hooks": […]}]',
      ],
      [
        '{"hooks":{"Stop":[\n"x"]}}',
        'error settings.json:2: hooks.Stop[0]: must be an object, as {"matcher": "Bash", "hooks": […]}',
      ],
      [
        '{"hooks":{"Stop":[{"hooks":\n{}}]}}',
        'error settings.json:2: hooks.Stop[0].hooks: must be a list of hooks, as [{"type": "command", "command": "…"}]',
      ],
      ["", "error settings.json:1: not JSON at column 1: the file is empty; an object is expected"],
    ];
    for (const [text, problem] of wrong) assert.deepEqual(read(text, "Stop").problems, [problem]);
  });

  it("comments and trailing commas where JSON has none", () => {
    const text = `{
  // formatting
  "hooks": {
    "Stop": [
      { "hooks": [{ "type": "command", "command": "./a.sh" },] }, /* more
      to come */
    ]
  }
}`;
    const found = read(text, "Stop");
    assert.deepEqual(found.names, ["a"]);
    assert.deepEqual(
      found.problems.map((problem) => problem.replace(/^warning settings\.json:(\d+): /, "$1 ")),
      [
        "2 a comment; JSON has none",
        '5 a comma before "]"; JSON has none',
        "5 a comment; JSON has none",
        '5 a comma before "]"; JSON has none',
      ],
    );
    assert.deepEqual(read('{\n  "hooks": {\n    Stop: []\n  }\n}', "Stop").problems, [
      'error settings.json:3: not JSON at column 5: a key in double quotes is expected, found "S"',
    ]);
  });
});
