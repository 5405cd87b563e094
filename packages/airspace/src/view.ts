// What a page shows of a run that plans a day, read from the run's folder: data, small, and nothing about how it is drawn.
export { type FlowView, flowView, type LineView, readFlowView } from "./view/flow-view.ts";
export type { FrontView, RootsView, SearchView, WalkersView } from "./view/search-view.ts";
