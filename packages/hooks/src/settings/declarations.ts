import { type Fields, fieldsOf } from "../json-fields.ts";
import type { NamedEntry } from "./hook-names.ts";
import type { Problem } from "./settings-problem.ts";

/** What one store says of hooks under `declare`. */
export interface DeclarationList {
  readonly file: string;
  readonly byKey: Readonly<Record<string, Fields>>;
}

/** What one place says of one hook. */
export interface Declaration {
  readonly file: string;
  readonly path: string;
  readonly fields: Fields;
}

/** The key that means one hook of one event and nothing else. */
export function declarationKey({ event, name }: { readonly event: string; readonly name: string }): string {
  return `${event}/${name}`;
}

/** A store's `declare`; what makes no sense is a problem and left out. */
export function readDeclarations(root: unknown, file: string, problems: Problem[]): DeclarationList {
  const given = fieldsOf(root)?.declare ?? {};
  const entries = Object.entries(fieldsOf(given) ?? {});
  const wrong = entries.filter(([, value]) => fieldsOf(value) === undefined).map(([key]) => `declare.${key}`);
  for (const path of fieldsOf(given) === undefined ? ["declare"] : wrong) {
    const message = 'must be an object, as {"my-hook": {"reads": [], "writes": []}}';
    problems.push({ file, path, severity: "error", message });
  }
  return {
    file,
    byKey: Object.fromEntries(entries.filter(([, value]) => fieldsOf(value) !== undefined)) as DeclarationList["byKey"],
  };
}

/**
 * Which declarations mean which hooks, of all events. A key is `Event/name`, or a name alone where all hooks that go by it
 * are the same command; one that could mean different hooks means none of them, and they run alone.
 */
export class Declared {
  readonly #lists: readonly DeclarationList[];
  readonly #byKey = new Map<string, NamedEntry[]>();

  constructor(lists: readonly DeclarationList[], hooks: readonly NamedEntry[]) {
    this.#lists = lists;
    for (const hook of hooks) {
      for (const key of new Set([declarationKey(hook), hook.name, hook.plainName])) {
        const known = this.#byKey.get(key);
        if (known === undefined) this.#byKey.set(key, [hook]);
        else known.push(hook);
      }
    }
  }

  /** Everything declared of a hook; of one field the last counts: later stores, and the key with the event. */
  of(hook: NamedEntry): readonly Declaration[] {
    return [hook.name, declarationKey(hook)].flatMap((key) =>
      this.#lists.flatMap(({ file, byKey }) =>
        Object.hasOwn(byKey, key) && !this.#isAmbiguous(key)
          ? [{ file, path: `declare.${key}`, fields: byKey[key] }]
          : [],
      ),
    );
  }

  /** Declarations that mean nobody, or could mean different hooks; of the latter only those that touch `event`, if given. */
  problems(event?: string): readonly Problem[] {
    return this.#lists.flatMap(({ file, byKey }) =>
      Object.keys(byKey).flatMap((key): Problem[] => {
        const meant = this.#byKey.get(key) ?? [];
        if (event !== undefined && !meant.some((hook) => hook.event === event)) return [];
        const path = `declare.${key}`;
        if (meant.length === 0) {
          return [{ file, path, severity: "error", message: "no hook of any event has this name" }];
        }
        if (!this.#isAmbiguous(key)) return [];
        const keys = [...new Set(meant.map((hook) => JSON.stringify(declarationKey(hook))))].sort().join(" and ");
        const message = `could mean different hooks, so it means none and they run alone; declare ${keys}`;
        return [{ file, path, severity: "error", message }];
      }),
    );
  }

  #isAmbiguous(key: string): boolean {
    const meant = this.#byKey.get(key) ?? [];
    return meant.some(({ starts }) => starts !== meant[0].starts);
  }
}
