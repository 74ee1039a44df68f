/** A linear memory. `grow` invalidates views of `buffer`. */
export interface WasmMemory {
  readonly buffer: ArrayBuffer;
  /** Adds this number of 64 KiB pages. @throws RangeError if there is not enough memory */
  grow(pages: number): number;
}

/** A compiled module. */
export type WasmModule = object;

interface WebAssemblyApi {
  readonly Memory: new (limits: { readonly initial: number }) => WasmMemory;
  readonly Module: new (bytes: Uint8Array<ArrayBuffer>) => WasmModule;
  readonly Instance: new (
    module: WasmModule,
    imports: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
  ) => { readonly exports: Readonly<Record<string, unknown>> };
}

// Declared here, because Node's types omit the global and browser types are not included.
declare const WebAssembly: WebAssemblyApi | undefined;

/** The runtime's WebAssembly; undefined if it is disabled (`node --jitless`). */
export const webAssembly: WebAssemblyApi | undefined = typeof WebAssembly === 'undefined' ? undefined : WebAssembly;

const compiled = new Map<() => Uint8Array<ArrayBuffer>, WasmModule | undefined>();

/** Compiles the module that a function assembles; undefined if the runtime lacks its instructions. */
export function compileOnce(assemble: () => Uint8Array<ArrayBuffer>): WasmModule | undefined {
  if (!webAssembly) return undefined;
  if (compiled.has(assemble)) return compiled.get(assemble);
  let module: WasmModule | undefined;
  try {
    module = new webAssembly.Module(assemble());
  } catch {
    // Callers have a slower way.
  }
  compiled.set(assemble, module);
  return module;
}
