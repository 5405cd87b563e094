import { signal } from "@preact/signals";
import type { Embedded, EmbeddedRun, EmbeddedView } from "../src/wire.ts";
import { embeddedAnswer } from "./embedded-answer.ts";

/** Whether the server answers; undefined until it first did. */
export const connected = signal<boolean | undefined>(undefined);

/** What this page shows if it is a file that was exported, a run or something else; then there is no server to ask. */
export let embedded: EmbeddedRun | undefined;
export let embeddedView: EmbeddedView | undefined;

/** Unpacks the state that an exported file has in it. */
export async function readEmbedded(): Promise<void> {
  const packed = document.getElementById("state")?.textContent;
  if (packed === undefined || packed === null) return;
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  const text = new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
  const state = JSON.parse(await text) as Embedded;
  if ("run" in state) embedded = state;
  else embeddedView = state;
}

const token = new URLSearchParams(location.search).get("token");

/** An address of the server, token included: for links and streams, which have no headers of their own. */
export function address(path: string): string {
  if (token === null) return path;
  return `${path}${path.includes("?") ? "&" : "?"}token=${encodeURIComponent(token)}`;
}

/** Asks the server, or what is embedded; a refusal is an error with its words. */
export async function ask<T>(path: string, method: "GET" | "POST" | "PUT" = "GET", body?: object): Promise<T> {
  // Cast: as with a server, whoever asks knows what it is asked for.
  if (embedded !== undefined) return embeddedAnswer(embedded, path) as T;
  const response = await fetch(path, {
    method,
    headers: {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer = (await response.json()) as T & { readonly error?: string };
  if (!response.ok) throw new Error(answer.error ?? `the studio answered ${response.status}`);
  return answer;
}

/** A file of a run, as text. */
export async function askText(path: string): Promise<string> {
  if (embedded !== undefined) {
    const text = embedded.texts[new URL(path, "file:").searchParams.get("path") ?? ""];
    if (text === undefined) throw new Error("It is not in this file, which has room for small ones only.");
    return text;
  }
  const response = await fetch(path, { headers: token === null ? {} : { authorization: `Bearer ${token}` } });
  if (!response.ok) throw new Error(`the studio answered ${response.status}`);
  return response.text();
}

interface Heard {
  readonly snapshot: (state: unknown) => void;
  readonly change: (change: unknown) => void;
  /** The server has nothing there, and says why. */
  readonly refused?: (why: string) => void;
}

/**
 * Follows a stream of the server: everything first, then what changes. A page that nobody sees lets go of its connection,
 * of which a browser has few. Returns how to stop.
 */
export function follow(path: string, { snapshot, change, refused }: Heard): () => void {
  if (embedded !== undefined) {
    snapshot(embedded.run);
    return () => {};
  }
  let source: EventSource | undefined;
  const open = (): void => {
    source = new EventSource(address(path));
    source.addEventListener("open", () => {
      connected.value = true;
    });
    source.addEventListener("error", () => {
      // Of a refusal a stream says nothing but that it is over; what was lost is tried again by the browser.
      if (source?.readyState === EventSource.CLOSED && refused !== undefined) {
        ask(path.replace(/\/stream$/, "")).catch((error: Error) => refused(error.message));
      } else connected.value = false;
    });
    source.addEventListener("snapshot", ({ data }) => snapshot(JSON.parse(data)));
    source.addEventListener("gone", ({ data }) => refused?.((JSON.parse(data) as { readonly why: string }).why));
    source.addEventListener("change", ({ data }) => change(JSON.parse(data)));
  };
  const look = (): void => {
    if (document.hidden) {
      source?.close();
      source = undefined;
    } else if (source === undefined) open();
  };
  look();
  document.addEventListener("visibilitychange", look);
  return () => {
    document.removeEventListener("visibilitychange", look);
    source?.close();
  };
}
