import { asParameter, PARAMETERS, readConfiguration, STARTING_PARAMETERS } from "@coppice/projections";
import { type Configuration, drawnValues, withValue } from "@coppice/search";

/** Configurations of which any two that follow each other differ in all tuned parameters. */
export function allDifferent(count: number): readonly ReturnType<typeof readConfiguration>[] {
  const values = drawnValues(7, count);
  return Array.from({ length: count }, (_, i) => {
    const parameters = PARAMETERS.reduce<Configuration>((configuration, each) => {
      const parameter = asParameter(each);
      return withValue(configuration, parameter.path, values.of(parameter, "bench", 0, undefined)[i + 1]);
    }, STARTING_PARAMETERS);
    return readConfiguration(parameters, `configuration ${i}`);
  });
}

/** Configurations as a tournament tries them: one parameter after the other, everything else as it was. */
export function oneByOne(count: number): readonly ReturnType<typeof readConfiguration>[] {
  const values = drawnValues(8, count);
  return Array.from({ length: count }, (_, i) => {
    const parameter = asParameter(PARAMETERS[Math.floor((i * PARAMETERS.length) / count)]);
    const value = values.of(parameter, "bench", 0, undefined)[i + 1];
    return readConfiguration(withValue(STARTING_PARAMETERS, parameter.path, value), `configuration ${i}`);
  });
}
