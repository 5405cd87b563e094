type Environment = Readonly<Record<string, string | undefined>>;

/** Variables that hold keys by their names. */
const SECRET_NAME = /(?:^|_)(?:API_?KEY|KEY|TOKEN|SECRET|PASSWORD|CREDENTIALS)$/i;
/** Shorter values are not keys, and would be found in every other text. */
const SHORTEST_SECRET = 8;

/** Which variables of an environment hold keys: by their names, and those that the models file names. */
export function secretNames(environment: Environment, named: readonly string[]): string[] {
  return Object.keys(environment).filter((name) => SECRET_NAME.test(name) || named.includes(name));
}

/** An environment without the variables that hold keys. */
export function withoutSecrets(environment: Environment, secrets: readonly string[]): Record<string, string> {
  const kept = Object.entries(environment).filter(([name]) => !secrets.includes(name));
  return Object.fromEntries(kept.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}

/** A text without the keys that an environment holds. */
export function redacted(text: string, environment: Environment, secrets: readonly string[]): string {
  return secrets
    .map((name) => environment[name] ?? "")
    .filter((value) => value.length >= SHORTEST_SECRET)
    .reduce((clean, value) => clean.replaceAll(value, "[key]"), text);
}
