import { type Behaviour, demoAnswer, PracticeServer, type ReceivedCall } from "@coppice/agents/practice-server";

/** Every seventh request fails once, as real providers do now and then. */
function respond(call: ReceivedCall): Behaviour {
  return call.index % 7 === 6 ? { kind: "status", status: 503 } : demoAnswer(call);
}

const port = Number(process.argv[2] ?? 8089);
const server = await PracticeServer.start({
  respond,
  port,
  remember: false,
  // More than this and it says 429: change it and watch a swarm find the pace.
  quota: { perSecond: 20, burst: 20, retryAfter: true },
});
console.log(`practising at ${server.url} (Ctrl-C ends it)`);
