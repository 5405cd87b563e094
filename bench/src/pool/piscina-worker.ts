import { doWork } from "./work.ts";

export default doWork;
