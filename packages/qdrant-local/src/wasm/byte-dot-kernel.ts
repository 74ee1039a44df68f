import { assembleModule, op } from './assemble.ts';
import { type WasmMemory, type WasmModule, webAssembly } from './web-assembly.ts';

/**
 * The number of values per kernel step. Rows and queries are padded with zeros to a multiple of it.
 */
export const lanesPerStep = 32;

/**
 * Calculates dot products of rows of bytes with a query of 16-bit numbers, as 32-bit integers. All
 * arguments except `count` are in bytes: the address of the row numbers, their count, the addresses
 * of the query, the results and the first row, and the length of a row.
 */
type ByteDotKernel = (
  rowNumbers: number,
  count: number,
  query: number,
  results: number,
  rows: number,
  rowBytes: number,
) => void;

const exportedName = 'dot';

// Locals after the six parameters.
const [rowNumbers, count, query, results, rows, rowBytes] = [0, 1, 2, 3, 4, 5];
const [end, at, queryAt, rowEnd] = [6, 7, 8, 9];
const sums = [10, 11, 12, 13];
const bytesPerLoad = 8;

function assembleKernel(): Uint8Array<ArrayBuffer> {
  const advance = (local: number, by: readonly number[]): number[] => [
    ...op.get(local),
    ...by,
    ...op.add,
    ...op.set(local),
  ];
  const multiply = sums.flatMap((sum, i) => [
    ...op.get(sum),
    ...op.get(at),
    ...op.simd.loadBytesAsShorts(i * bytesPerLoad),
    ...op.get(queryAt),
    ...op.simd.load(i * bytesPerLoad * 2),
    ...op.simd.multiplyShortsAddPairs,
    ...op.simd.addIntegers,
    ...op.set(sum),
  ]);
  const addSums = sums.slice(1).flatMap((sum) => [...op.get(sum), ...op.simd.addIntegers]);
  const [first = 0] = sums;
  const lanes = [1, 2, 3].flatMap((lane) => [...op.get(first), ...op.simd.integerAt(lane), ...op.add]);
  const oneRow = [
    // at = rows + rowNumber × rowBytes; rowEnd = at + rowBytes
    ...op.get(rows),
    ...op.get(rowNumbers),
    ...op.load(0),
    ...op.get(rowBytes),
    ...op.multiply,
    ...op.add,
    ...op.set(at),
    ...op.get(at),
    ...op.get(rowBytes),
    ...op.add,
    ...op.set(rowEnd),
    ...op.get(query),
    ...op.set(queryAt),
    ...sums.flatMap((sum) => [...op.simd.zero, ...op.set(sum)]),
    ...op.repeatWhile([
      ...multiply,
      ...advance(at, op.constant(lanesPerStep)),
      ...advance(queryAt, op.constant(lanesPerStep * 2)),
      ...op.get(at),
      ...op.get(rowEnd),
      ...op.isBelow,
    ]),
    ...op.get(first),
    ...addSums,
    ...op.set(first),
    ...op.get(results),
    ...op.get(first),
    ...op.simd.integerAt(0),
    ...lanes,
    ...op.store(0),
    ...advance(results, op.constant(4)),
    ...advance(rowNumbers, op.constant(4)),
    ...op.get(rowNumbers),
    ...op.get(end),
    ...op.isBelow,
  ];
  const body = [
    ...op.get(rowNumbers),
    ...op.get(count),
    ...op.constant(4),
    ...op.multiply,
    ...op.add,
    ...op.set(end),
    ...op.repeatWhile(oneRow),
  ];
  const locals = [
    { type: 'i32', count: 4 },
    { type: 'v128', count: sums.length },
  ] as const;
  return assembleModule({ name: exportedName, parameterCount: 6, locals, body });
}

/** A memory with its kernel. */
export interface KernelMemory {
  readonly memory: WasmMemory;
  /** `count` must be at least 1. */
  readonly dot: ByteDotKernel;
}

let compiled: WasmModule | undefined;

/**
 * Creates a memory with this number of 64 KiB pages and its kernel; undefined without SIMD or
 * address space.
 */
export function createKernelMemory(pages: number): KernelMemory | undefined {
  if (!webAssembly) return undefined;
  try {
    compiled ??= new webAssembly.Module(assembleKernel());
    const memory = new webAssembly.Memory({ initial: pages });
    const { exports } = new webAssembly.Instance(compiled, { env: { memory } });
    const kernel = exports[exportedName];
    return typeof kernel === 'function' ? { memory, dot: (...parameters) => kernel(...parameters) } : undefined;
  } catch {
    return undefined;
  }
}
