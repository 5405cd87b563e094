// The light way to the parallel map: nothing else of the engine is loaded.
export { parallelMap } from "./parallel-map/parallel-map.ts";
