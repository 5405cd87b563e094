export { type AskChoices, composeAsk, prepareAsk } from "./prepare-ask.ts";
