/** A linear memory; a view of `buffer` ends with the next `grow`. */
export interface WasmMemory {
  readonly buffer: ArrayBuffer;
  /** By so many pages of 64 KiB. @throws RangeError when there is no more */
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

// Node's types leave the global out, and the types of browsers are not wanted here.
declare const WebAssembly: WebAssemblyApi | undefined;

/** The runtime's WebAssembly; undefined where it was switched off (`node --jitless`). */
export const webAssembly: WebAssemblyApi | undefined = typeof WebAssembly === 'undefined' ? undefined : WebAssembly;
