import { Option } from "commander";

/**
 * A yes-or-no option that an environment variable can also turn on. Commander takes the mere presence of the variable
 * for yes; here `0` and `false` mean no.
 */
export function switchOption(flags: string, description: string, variable: string): Option {
  const option = new Option(flags, `${description} (env: ${variable})`);
  return isYes(process.env[variable]) ? option.default(true, `from ${variable}`) : option;
}

function isYes(value: string | undefined): boolean {
  return value !== undefined && value !== "" && value !== "0" && value !== "false";
}
