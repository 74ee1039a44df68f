import { assembleModule, op } from './assemble.ts';
import { compileOnce, type WasmMemory, webAssembly } from './web-assembly.ts';

/**
 * The number of values per kernel step. Rows and queries are padded with zeros to a multiple of it.
 */
export const lanesPerStep = 32;

/** Rows are stored in groups: the bytes of all rows, then the numbers of all rows. */
export const rowsPerGroup = 4;

/**
 * The positions of the numbers of a row in its group, each with one number for each row: scale, error
 * norm and norm as 32-bit floats, and the sum of the bytes as integer.
 */
export const numberAt = { scale: 0, error: 1, norm: 2, sum: 3 } as const;

/** The number of such numbers. */
export const numberCount = 4;

/** The positions of the limits among 64-bit floats: the factors of a row's numbers, and the least sum. */
export const limitAt = { scale: 0, error: 1, norm: 2, least: 3 } as const;

/** The number of 64-bit floats of the limits. The address after the last result follows as integer. */
export const limitCount = 5;

/**
 * Calculates dot products of rows of bytes with a query, as 32-bit integers. Selects each row whose
 * `product × row scale × scale + error norm × error + norm × norm factor` is not below the least sum.
 * All arguments except `count` are in bytes: the address of the row numbers, their count, the
 * addresses of the query, the results, the first group, the limits, and the number of bytes of a row.
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
const [end, at, queryAt, rowEnd, product, groupBytes, numbersAt] = [7, 8, 9, 10, 11, 12, 13];
const sums = [14, 15, 16, 17];
const [first = 0] = sums;
const doubleBytes = 8;
const bytesPerLoad = 8;

function advance(local: number, by: readonly number[]): number[] {
  return [...op.get(local), ...by, ...op.add, ...op.set(local)];
}

function assembleKernel(): Uint8Array<ArrayBuffer> {
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
  const lanes = [1, 2, 3].flatMap((lane) => [...op.get(first), ...op.simd.integerAt(lane), ...op.add]);
  const factor = (limit: number): number[] => [
    ...op.get(limits),
    ...op.double.load(limit * doubleBytes),
    ...op.double.multiply,
  ];
  const rowNumber = [...op.get(rowNumbers), ...op.load(0)];
  const lane = [...rowNumber, ...op.constant(rowsPerGroup - 1), ...op.and];
  const number = (position: number): number[] => [
    ...op.get(numbersAt),
    ...op.double.loadFloat(position * rowsPerGroup * 4),
  ];
  // (product × row scale × scale) + (error norm × error + norm × norm factor)
  const largestScore = [
    ...op.get(product),
    ...op.double.fromInteger,
    ...number(numberAt.scale),
    ...op.double.multiply,
    ...factor(limitAt.scale),
    ...number(numberAt.error),
    ...factor(limitAt.error),
    ...number(numberAt.norm),
    ...factor(limitAt.norm),
    ...op.double.add,
    ...op.double.add,
  ];
  const oneRow = [
    // The group: rows + (row number ÷ rowsPerGroup) × groupBytes
    ...op.get(rows),
    ...rowNumber,
    ...op.constant(Math.log2(rowsPerGroup)),
    ...op.shiftRight,
    ...op.get(groupBytes),
    ...op.multiply,
    ...op.add,
    ...op.set(at),
    // The numbers: group + rowBytes × rowsPerGroup + lane × 4
    ...op.get(at),
    ...op.get(rowBytes),
    ...op.constant(rowsPerGroup),
    ...op.multiply,
    ...op.add,
    ...lane,
    ...op.constant(2),
    ...op.shiftLeft,
    ...op.add,
    ...op.set(numbersAt),
    // at = group + lane × rowBytes; rowEnd = at + rowBytes
    ...op.get(at),
    ...lane,
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
      ...rowNumber,
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
    ...op.constant(numberCount * 4),
    ...op.add,
    ...op.constant(rowsPerGroup),
    ...op.multiply,
    ...op.set(groupBytes),
    ...op.repeatWhile(oneRow),
    ...op.get(limits),
    ...op.get(results),
    ...op.store((limitCount - 1) * doubleBytes),
  ];
  const locals = [
    { type: 'i32', count: 7 },
    { type: 'v128', count: sums.length },
  ] as const;
  return assembleModule({ name: exportedName, parameterCount: 7, locals, body });
}

/** Instantiates the kernel in a memory; undefined without SIMD. */
export function createByteDot(memory: WasmMemory): ByteDotKernel | undefined {
  const module = compileOnce(assembleKernel);
  if (!webAssembly || !module) return undefined;
  const kernel = new webAssembly.Instance(module, { env: { memory } }).exports[exportedName];
  return typeof kernel === 'function' ? (...parameters) => kernel(...parameters) : undefined;
}
