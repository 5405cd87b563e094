import assert from "node:assert/strict";
import { lstatSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { SmallRepository } from "../../test/small-repository.ts";
import { evaluationOf, ideaOf, smallRun, step, taskOf } from "../../test/small-run.ts";
import { evaluateIdea } from "../evaluate/evaluation.ts";
import { makeNode } from "../evaluate/promotion.ts";

const FILES = { "value.txt": "1\n", ".gitignore": "packages/\nmade/\n" };

// Git takes a link for ignored by the first two, and not by the others.
for (const ignored of ["packages", "/pack*", "packages/", "packages/*"]) {
  test(`a link that .gitignore names ${ignored} is left out of the change`, async () => {
    using repository = new SmallRepository({ ...FILES, ".gitignore": `${ignored}\n` });
    mkdirSync(join(repository.path, "packages"));
    writeFileSync(join(repository.path, "packages/left-pad"), "installed");
    const steps = { implement: step("cat packages/left-pad; cp {idea} value.txt") };
    const run = await smallRun(repository, { config: { link: ["packages"] }, steps });
    const { commit } = await evaluateIdea(run, evaluationOf(run, ideaOf(run, "2\n")), taskOf());
    assert.equal(repository.git("diff", "--name-only", "HEAD", commit), "value.txt");
  });
}

test("a linked folder is in every worktree, whatever a step adds to git, and in no commit", async () => {
  using repository = new SmallRepository(FILES);
  mkdirSync(join(repository.path, "packages"));
  writeFileSync(join(repository.path, "packages/left-pad"), "installed");
  const run = await smallRun(repository, {
    config: { link: ["packages"] },
    steps: { implement: step("cat packages/left-pad; cp {idea} value.txt; git add --all --force; git add packages") },
  });
  const { commit } = await evaluateIdea(run, evaluationOf(run, ideaOf(run, "2\n")), taskOf());
  assert.equal(repository.git("diff", "--name-only", "HEAD", commit), "value.txt");
  assert.ok(lstatSync(join(run.runRoot, "cand/0001/packages")).isSymbolicLink());
});

test("nothing is linked into what a link leads to: the user's own file would be in the way and removed", async () => {
  using repository = new SmallRepository(FILES);
  const file = join(repository.path, "packages/left-pad");
  mkdirSync(join(repository.path, "packages"));
  writeFileSync(file, "installed");
  const run = await smallRun(repository, { config: { link: ["packages", "packages/left-pad"] } });
  await assert.rejects(evaluateIdea(run, evaluationOf(run, ideaOf(run, "2\n")), taskOf()), {
    message:
      "packages/left-pad cannot be linked: packages is a symbolic link, so what is in it is not the worktree's own",
  });
  assert.equal(readFileSync(file, "utf8"), "installed");
});

test("set-up runs in every candidate's worktree, or once in its node's when what it makes is shared", async () => {
  using repository = new SmallRepository(FILES);
  const counting = step("mkdir -p made; echo built > made/it; echo x >> {repository}/../set-ups");
  const steps = { setup: counting, implement: step("cat made/it; cp {idea} value.txt") };
  const setUps = () => readFileSync(join(repository.folder, "set-ups"), "utf8").length / 2;
  const own = await smallRun(repository, { id: "own", steps });
  for (const evalId of ["0001", "0002"]) {
    await evaluateIdea(own, evaluationOf(own, ideaOf(own, `${evalId}\n`, `${evalId}.md`), evalId), taskOf());
  }
  assert.equal(setUps(), 2);
  const shared = await smallRun(repository, { id: "shared", steps, config: { share: ["made"] } });
  await makeNode(shared, "0000", repository.head, taskOf().signal);
  const evaluate = (evalId: string) =>
    evaluateIdea(shared, evaluationOf(shared, ideaOf(shared, `${evalId}\n`, `${evalId}.md`), evalId), taskOf());
  const results = await Promise.all([evaluate("0001"), evaluate("0002")]);
  assert.equal(setUps(), 3);
  assert.deepEqual(shared.belongings.of("s0000"), []);
  assert.equal(repository.git("diff", "--name-only", "HEAD", results[0].commit), "value.txt");
});

test("a set-up that fails is the failure of its step, with the last lines of standard error", async () => {
  using repository = new SmallRepository(FILES);
  const run = await smallRun(repository, { steps: { setup: step("echo no such package >&2; exit 3") } });
  await assert.rejects(evaluateIdea(run, evaluationOf(run, ideaOf(run, "2\n")), taskOf()), (error: Error) => {
    const { data } = error as Error & { data: { step: string; errorTail: string[] } };
    assert.deepEqual(
      [error.message, data.step, data.errorTail],
      ["setup ended with exit code 3", "setup", ["no such package"]],
    );
    return true;
  });
});

test("submodules are checked out from the user's own copy; a link that leads out of the worktree is refused", async () => {
  using library = new SmallRepository({ "code.txt": "library\n" });
  using repository = new SmallRepository(FILES);
  repository.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", library.path, "vendor/the library");
  repository.commit("Add the library");
  const run = await smallRun(repository, {
    steps: { implement: step('cat "vendor/the library/code.txt" {idea} > value.txt') },
  });
  const { commit } = await evaluateIdea(run, evaluationOf(run, ideaOf(run, "2\n")), taskOf()).catch((error) => {
    // The sweep's number is two lines now; what counts is that the change was made.
    assert.equal(error.name, "ResultsUnusable");
    return { commit: "" };
  });
  assert.equal(commit, "");
  assert.equal(readFileSync(join(run.runRoot, "cand/0001/value.txt"), "utf8"), "library\n2\n");
  const linking = await smallRun(repository, { id: "linking", steps: { implement: step("ln -s /etc/passwd who") } });
  await assert.rejects(evaluateIdea(linking, evaluationOf(linking, ideaOf(linking, "2\n")), taskOf()), {
    name: "LinkOutside",
    message: "who is a symbolic link to /etc/passwd, out of the worktree: copy what is needed, or link inside",
  });
});

test("what an idea changes in a submodule is refused by name and not lost; what the set-up builds there is not its doing", async () => {
  using library = new SmallRepository({ "code.txt": "library\n" });
  using repository = new SmallRepository(FILES);
  repository.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", library.path, "vendor/the library");
  // Nor is it lost where git is told to look away.
  repository.git("config", "--file", ".gitmodules", "submodule.vendor/the library.ignore", "all");
  repository.commit("Add the library");
  const setup = step('echo built > "vendor/the library/built.txt"; echo patched >> "vendor/the library/code.txt"');
  const evaluate = async (id: string, implement: string) => {
    const run = await smallRun(repository, {
      id,
      steps: { setup, implement: step(`cat {idea} > value.txt; ${implement}`) },
    });
    return evaluateIdea(run, evaluationOf(run, ideaOf(run, "2\n")), taskOf());
  };
  assert.notEqual((await evaluate("outside", "true")).commit, "");
  const inside = 'cd "vendor/the library"';
  for (const [index, [change, which]] of [
    [`${inside}; echo 2 >> code.txt`, "code.txt"],
    [`${inside}; echo 2 > new.txt; rm built.txt`, "built.txt, new.txt"],
    [`${inside}; echo 2 > new.txt; git add new.txt; git -c user.name=a -c user.email=a commit -qm 2`, "new.txt"],
    ['rm .gitmodules; echo 2 > "vendor/the library/new.txt"', "new.txt"],
  ].entries()) {
    await assert.rejects(evaluate(`inside${index}`, change), {
      name: "NestedRepository",
      message: new RegExp(
        `^files in the submodule vendor/the library were changed \\(${which}\\), which no commit here can hold: `,
      ),
    });
  }
  assert.notEqual((await evaluate("removed", 'git rm -qrf "vendor/the library"')).commit, "");
});

test("a submodule that the user never checked out may be filled by a build, with its own commit and nothing else", async () => {
  using inner = new SmallRepository({ "inner.txt": "inner\n" });
  using library = new SmallRepository({ "code.txt": "library\n" });
  const allow = ["-c", "protocol.file.allow=always"];
  library.git(...allow, "submodule", "--quiet", "add", inner.path, "inner");
  library.commit("Add what it needs itself");
  using repository = new SmallRepository(FILES);
  repository.git(...allow, "submodule", "--quiet", "add", library.path, "library");
  repository.commit("Add the library");
  repository.git("submodule", "--quiet", "deinit", "--all", "--force");
  rmSync(join(repository.path, ".git/modules"), { recursive: true });
  const evaluate = async (id: string, after: string) => {
    const fill = `git ${allow.join(" ")} submodule --quiet update --init --recursive`;
    const implement = step(`cat {idea} > value.txt; ${fill}; ${after}`);
    const run = await smallRun(repository, { id, steps: { implement } });
    return evaluateIdea(run, evaluationOf(run, ideaOf(run, "2\n")), taskOf());
  };
  assert.notEqual((await evaluate("filled", "cat library/inner/inner.txt")).commit, "");
  for (const [id, change] of [
    ["changed", "echo 2 >> library/code.txt"],
    ["within", "echo 2 >> library/inner/inner.txt"],
  ]) {
    await assert.rejects(evaluate(id, change), {
      name: "NestedRepository",
      message: /^files in the submodule library /,
    });
  }
});
