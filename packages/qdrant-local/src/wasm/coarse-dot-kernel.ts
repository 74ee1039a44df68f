import { assembleModule, op } from './assemble.ts';
import { lanesPerStep, numberAt, numberCount, rowsPerGroup } from './byte-dot-kernel.ts';
import { type WasmMemory, type WasmModule, webAssembly } from './web-assembly.ts';

/** The query's values are from 0 to 127: the numbers from −63 to 63 plus this. */
export const coarseOffset = 64;

/** The positions of the limits among 32-bit floats: the factors of a row's numbers, and the least sum. */
export const coarseLimitAt = { scale: 0, error: 1, norm: 2, least: 3 } as const;

/** The size of the limits. The address after the last result follows as integer. */
export const coarseLimitBytes = 16;

/**
 * Selects rows like `ByteDotKernel`, but all rows of some groups, four at a time, with a query of one
 * byte per value and sums of 32-bit floats. Writes only the numbers of the selected rows. All
 * arguments except `firstRow` are addresses: of the first group, the end of the groups, the query, the
 * results and the limits.
 */
type CoarseDotKernel = (
  groups: number,
  end: number,
  query: number,
  results: number,
  limits: number,
  firstRow: number,
) => void;

const exportedName = 'select';

const [group, end, query, results, limits, row, selected] = [0, 1, 2, 3, 4, 5, 6];
const sums = [7, 8, 9, 10];
const [values, scale, error, norm, least] = [11, 12, 13, 14, 15];
const [sum0 = 0, sum1 = 0, sum2 = 0, sum3 = 0] = sums;
const bytesPerLoad = 16;
const bitsOfOffset = Math.log2(coarseOffset);

// All steps are written one after the other, so longer rows would result in a large module.
const maxRowBytes = 4096;

function advance(local: number, by: readonly number[]): number[] {
  return [...op.get(local), ...by, ...op.add, ...op.set(local)];
}

function addPairs(left: readonly number[], right: readonly number[], lanes: readonly number[][]): number[] {
  return [...lanes.flatMap((picked) => [...left, ...right, ...op.simd.pickLanes(picked)]), ...op.simd.addIntegers];
}

function assembleKernel(rowBytes: number): Uint8Array<ArrayBuffer> {
  const steps = Array.from({ length: rowBytes / bytesPerLoad }, (_, step) => step * bytesPerLoad);
  const multiply = steps.flatMap((at) => [
    ...op.get(query),
    ...op.simd.load(at),
    ...op.set(values),
    ...sums.flatMap((sum, lane) => [
      ...op.get(group),
      ...op.simd.load(lane * rowBytes + at),
      ...op.get(values),
      ...op.get(sum),
      ...op.simd.multiplyBytesAddFours,
      ...op.set(sum),
    ]),
  ]);
  const halves = [
    [0, 4, 1, 5],
    [2, 6, 3, 7],
  ];
  // Adds the lanes of each sum: one lane for each row.
  const addLanes = [
    ...addPairs(op.get(sum0), op.get(sum1), halves),
    ...op.set(sum0),
    ...addPairs(op.get(sum2), op.get(sum3), halves),
    ...op.set(sum2),
    ...addPairs(op.get(sum0), op.get(sum2), [
      [0, 1, 4, 5],
      [2, 3, 6, 7],
    ]),
  ];
  const numbers = (position: number): number[] => [
    ...op.get(group),
    ...op.simd.load(rowsPerGroup * (rowBytes + position * 4)),
  ];
  const largestScores = [
    ...addLanes,
    // The offset of the query's values was multiplied with each byte of the row.
    ...numbers(numberAt.sum),
    ...op.constant(bitsOfOffset),
    ...op.simd.shiftIntegersLeft,
    ...op.simd.subtractIntegers,
    ...op.simd.toFloats,
    ...numbers(numberAt.scale),
    ...op.simd.multiplyFloats,
    ...op.get(scale),
    ...op.simd.multiplyFloats,
    ...numbers(numberAt.error),
    ...op.get(error),
    ...op.simd.multiplyFloats,
    ...op.simd.addFloats,
    ...numbers(numberAt.norm),
    ...op.get(norm),
    ...op.simd.multiplyFloats,
    ...op.simd.addFloats,
  ];
  const write = Array.from({ length: rowsPerGroup }, (_, lane) => [
    ...op.get(results),
    ...op.get(row),
    ...op.constant(lane),
    ...op.add,
    ...op.store(0),
    ...advance(results, [
      ...op.get(selected),
      ...op.constant(lane),
      ...op.shiftRight,
      ...op.constant(1),
      ...op.and,
      ...op.constant(2),
      ...op.shiftLeft,
    ]),
  ]).flat();
  const preload = (local: number, position: number): number[] => [
    ...op.get(limits),
    ...op.simd.loadFloatInAll(position * 4),
    ...op.set(local),
  ];
  const body = [
    ...preload(scale, coarseLimitAt.scale),
    ...preload(error, coarseLimitAt.error),
    ...preload(norm, coarseLimitAt.norm),
    ...preload(least, coarseLimitAt.least),
    ...op.repeatWhile([
      ...sums.flatMap((sum) => [...op.simd.zero, ...op.set(sum)]),
      ...multiply,
      ...largestScores,
      ...op.get(least),
      ...op.simd.floatsAreAtLeast,
      ...op.simd.bitmask,
      ...op.set(selected),
      ...op.get(selected),
      ...op.ifNotZero(write),
      ...advance(row, op.constant(rowsPerGroup)),
      ...advance(group, op.constant(rowsPerGroup * (rowBytes + numberCount * 4))),
      ...op.get(group),
      ...op.get(end),
      ...op.isBelow,
    ]),
    ...op.get(limits),
    ...op.get(results),
    ...op.store(coarseLimitBytes),
  ];
  const locals = [
    { type: 'i32', count: 1 },
    { type: 'v128', count: 9 },
  ] as const;
  return assembleModule({ name: exportedName, parameterCount: 6, locals, body });
}

const compiled = new Map<number, WasmModule | undefined>();

function compile(rowBytes: number): WasmModule | undefined {
  if (compiled.has(rowBytes)) return compiled.get(rowBytes);
  let module: WasmModule | undefined;
  try {
    if (webAssembly && rowBytes <= maxRowBytes && rowBytes % lanesPerStep === 0)
      module = new webAssembly.Module(assembleKernel(rowBytes));
  } catch {
    // The runtime lacks relaxed SIMD.
  }
  compiled.set(rowBytes, module);
  return module;
}

/** Instantiates the kernel for rows of a length in a memory; undefined without relaxed SIMD. */
export function createCoarseDot(memory: WasmMemory, rowBytes: number): CoarseDotKernel | undefined {
  const module = compile(rowBytes);
  if (!webAssembly || !module) return undefined;
  const kernel = new webAssembly.Instance(module, { env: { memory } }).exports[exportedName];
  return typeof kernel === 'function' ? (...parameters) => kernel(...parameters) : undefined;
}
