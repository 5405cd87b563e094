import { PracticeServer, type Quota, question } from "@coppice/agents/practice-server";

/** What the server's process is told at its start, as its only argument. */
export interface ServerScript {
  /** Milliseconds until an answer is complete; a prompt can name its own as `wait 250 ms`. */
  readonly latencyMs: number;
  readonly answer: string;
  readonly quota?: Quota;
}

/** What it reports when it is asked. */
export interface ServerReport {
  readonly admitted: number;
  readonly refused: number;
  readonly mostAtOnce: number;
  /** Requests let in and refused in every second since the first one. */
  readonly seconds: readonly { readonly admitted: number; readonly refused: number }[];
}

const script = JSON.parse(process.argv[2]) as ServerScript;
const seconds: { admitted: number; refused: number }[] = [];
let before = { admitted: 0, refused: 0 };

const server = await PracticeServer.start({
  remember: false,
  ...(script.quota === undefined ? {} : { quota: script.quota }),
  respond: (call) => {
    const wanted = /wait (\d+) ms/.exec(question(call))?.[1];
    const latencyMs = wanted === undefined ? script.latencyMs : Number(wanted);
    return { kind: "answer", content: script.answer, latencyMs };
  },
});
setInterval(() => {
  const { admitted, refused } = server;
  if (admitted + refused === 0) return;
  seconds.push({ admitted: admitted - before.admitted, refused: refused - before.refused });
  before = { admitted, refused };
}, 1000);
process.on("message", () => {
  const { admitted, refused, mostAtOnce } = server;
  process.send?.({ admitted, refused, mostAtOnce, seconds } satisfies ServerReport);
});
process.on("disconnect", () => process.exit());
process.send?.(server.url);
