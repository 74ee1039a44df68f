import { assembleModule, op } from './assemble.ts';
import { type WasmMemory, type WasmModule, webAssembly } from './web-assembly.ts';

/**
 * The number of values per kernel step. Rows and queries are padded with zeros to a multiple of it.
 */
export const lanesPerStep = 32;

/** The size of the numbers after the bytes of a row: scale, error norm and norm as 32-bit floats. */
export const rowTailBytes = 16;

/** The positions of the limits among 64-bit floats: the factors of a row's numbers, and the least sum. */
export const limitAt = { scale: 0, error: 1, norm: 2, least: 3 } as const;

/** The number of 64-bit floats of the limits. The address after the last result follows as integer. */
export const limitCount = 5;

/**
 * Calculates dot products of rows of bytes with a query of 16-bit numbers, as 32-bit integers.
 * Writes the number and the product of each row whose `product × row scale × scale + error norm ×
 * error + norm × norm factor` is not below the least sum. All arguments except `count` are in bytes:
 * the address of the row numbers, their count, the addresses of the query, the results, the first
 * row, the limits, and the number of bytes of a row without its tail.
 */
type ByteDotKernel = (
  rowNumbers: number,
  count: number,
  query: number,
  results: number,
  rows: number,
  rowBytes: number,
  limits: number,
) => void;

const exportedName = 'dot';

// Locals after the seven parameters.
const [rowNumbers, count, query, results, rows, rowBytes, limits] = [0, 1, 2, 3, 4, 5, 6];
const [end, at, queryAt, rowEnd, product, stride] = [7, 8, 9, 10, 11, 12];
const sums = [13, 14, 15, 16];
const doubleBytes = 8;
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
  // The numbers of a row start at rowEnd.
  const scaled = (rowNumber: number, limit: number): number[] => [
    ...op.get(rowEnd),
    ...op.double.loadFloat(rowNumber * 4),
    ...op.double.multiply,
    ...op.get(limits),
    ...op.double.load(limit * doubleBytes),
    ...op.double.multiply,
  ];
  const one = (rowNumber: number, limit: number): number[] => [
    ...op.get(rowEnd),
    ...op.double.loadFloat(rowNumber * 4),
    ...op.get(limits),
    ...op.double.load(limit * doubleBytes),
    ...op.double.multiply,
  ];
  // (product × row scale × scale) + (error norm × error + norm × norm factor)
  const largestScore = [
    ...op.get(product),
    ...op.double.fromInteger,
    ...scaled(0, limitAt.scale),
    ...one(1, limitAt.error),
    ...one(2, limitAt.norm),
    ...op.double.add,
    ...op.double.add,
  ];
  const oneRow = [
    // at = rows + rowNumber × stride; rowEnd = at + rowBytes
    ...op.get(rows),
    ...op.get(rowNumbers),
    ...op.load(0),
    ...op.get(stride),
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
    ...op.get(first),
    ...op.simd.integerAt(0),
    ...lanes,
    ...op.set(product),
    ...largestScore,
    ...op.get(limits),
    ...op.double.load(limitAt.least * doubleBytes),
    ...op.double.isBelow,
    ...op.ifZero([
      ...op.get(results),
      ...op.get(rowNumbers),
      ...op.load(0),
      ...op.store(0),
      ...op.get(results),
      ...op.get(product),
      ...op.store(4),
      ...advance(results, op.constant(8)),
    ]),
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
    ...op.get(rowBytes),
    ...op.constant(rowTailBytes),
    ...op.add,
    ...op.set(stride),
    ...op.repeatWhile(oneRow),
    ...op.get(limits),
    ...op.get(results),
    ...op.store((limitCount - 1) * doubleBytes),
  ];
  const locals = [
    { type: 'i32', count: 6 },
    { type: 'v128', count: sums.length },
  ] as const;
  return assembleModule({ name: exportedName, parameterCount: 7, locals, body });
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
