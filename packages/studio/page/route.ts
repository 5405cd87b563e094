import { signal } from "@preact/signals";

/** The parts of the address after `#/`, each decoded. */
export const route = signal<readonly string[]>(parts());

window.addEventListener("hashchange", () => {
  route.value = parts();
});

/** An address within the page. */
export function link(...to: readonly (string | number)[]): string {
  return `#/${to.map((part) => encodeURIComponent(part)).join("/")}`;
}

function parts(): readonly string[] {
  const path = location.hash.replace(/^#\/?/, "");
  try {
    return path === "" ? [] : path.split("/").map(decodeURIComponent);
  } catch {
    return []; // not an address of ours
  }
}
