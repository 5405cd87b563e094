/** Of some options those that were given: an option that is undefined is absent, as types with exact optional properties want it. */
export function onlyGiven<Options extends object>(options: Options): Given<Options> {
  // Cast: what is left out is what may be undefined.
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Given<Options>;
}

type Given<Options> = {
  readonly [Name in keyof Options as undefined extends Options[Name] ? Name : never]?: Exclude<
    Options[Name],
    undefined
  >;
} & { readonly [Name in keyof Options as undefined extends Options[Name] ? never : Name]: Options[Name] };
