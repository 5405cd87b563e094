// What a page shows of a council, read from the run's folder: data, small, and nothing about how it is drawn.
export { type CouncilView, readCouncilView, type Spent } from "./council/council-view.ts";
