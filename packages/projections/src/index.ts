export * from "./accuracy/accuracy.ts";
export {
  type Baseline,
  type HorizonFile,
  readBaseline,
  readConfigurationFile,
  writeBaseline,
} from "./config/baseline.ts";
export { type Configuration, HORIZON_KEYS, type HorizonParameters, readConfiguration } from "./config/configuration.ts";
export { PARAMETERS, type TunableParameter } from "./config/parameters.ts";
export { HORIZONS, type Horizon, horizonsNamed } from "./horizon.ts";
export { loadSeasons } from "./seasons/load.ts";
export * from "./seasons/season.ts";
export { evaluateByPlayer } from "./twin/evaluate.ts";
export { WrongInput } from "./wrong-input.ts";
