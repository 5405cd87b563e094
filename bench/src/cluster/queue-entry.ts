// Bare BullMQ: node queue-entry.ts <port>, one task per job, one at a time. Says "ready" when it works.
import { Worker } from "bullmq";
import { Redis } from "ioredis";
import { doWork, type Work } from "../pool/work.ts";

const connection = new Redis(Number(process.argv[2]), "127.0.0.1", { maxRetriesPerRequest: null });
const worker = new Worker("bare", async (job) => doWork(job.data as Work), { connection });
await worker.waitUntilReady();
process.stdin.on("end", () => process.exit(0)).resume();
process.stdout.write("ready\n");
