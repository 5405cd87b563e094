/** Types of this part of JavaScript come with browsers, which are not here. */
declare const WebAssembly: {
  readonly Memory: new (size: { readonly initial: number }) => CompiledMemory;
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: unknown };
};

/** What compiled code reads and writes. Growing it makes another buffer: views of the old one see nothing any more. */
export interface CompiledMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

export const PAGE_BYTES = 2 ** 16;

export function memoryOf(bytes: number): CompiledMemory {
  return new WebAssembly.Memory({ initial: Math.ceil(bytes / PAGE_BYTES) });
}

const modules = new Map<string, object>();

/** The functions and variables that compiled code exports; each code is compiled once. */
export function instantiate<Exports>(code: string, memory: CompiledMemory): Exports {
  const module = modules.get(code) ?? new WebAssembly.Module(Buffer.from(code, "base64"));
  modules.set(code, module);
  // Cast: what the source exports.
  return new WebAssembly.Instance(module, { env: { memory } }).exports as Exports;
}
