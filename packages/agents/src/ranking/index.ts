export { composeRanking, prepareRanking } from "./prepare-ranking.ts";
