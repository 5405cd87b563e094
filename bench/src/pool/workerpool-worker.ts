import workerpool from "workerpool";
import { doWork } from "./work.ts";

workerpool.worker({ doWork });
