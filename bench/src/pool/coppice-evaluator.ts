import { defineEvaluator } from "@coppice/engine/evaluator";
import { doWork, type Work } from "./work.ts";

export default defineEvaluator({ evaluate: (_state, work: Work) => doWork(work) });
