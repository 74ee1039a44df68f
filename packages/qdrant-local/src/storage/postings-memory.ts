import { addPostingsName, assembleAddPostings, listBytes, type ValueBytes } from '../wasm/add-postings-kernel.ts';
import { assembleSelectScores, scoresPerStep, selectScoresName } from '../wasm/select-scores-kernel.ts';
import { compileOnce, type WasmModule, webAssembly } from '../wasm/web-assembly.ts';

// Smaller segments are replaced often, and searching them takes little time.
const minSlots = 2048;
// The number of lists per call of the kernel.
const maxLists = 256;
const pageBytes = 65_536;
// Every part starts at a multiple of this.
const alignment = 16;

const adders = {
  1: () => assembleAddPostings(1),
  2: () => assembleAddPostings(2),
  4: () => assembleAddPostings(4),
} as const satisfies Record<ValueBytes, () => Uint8Array<ArrayBuffer>>;

type Kernel = (...parameters: number[]) => unknown;

function instantiate(module: WasmModule | undefined, name: string, memory: object): Kernel | undefined {
  if (!webAssembly || !module) return undefined;
  const kernel = new webAssembly.Instance(module, { env: { memory } }).exports[name];
  return typeof kernel === 'function' ? (...parameters) => kernel(...parameters) : undefined;
}

/**
 * The entries of posting lists: for each one its slot, and its value or the value's index in a table. An
 * index takes one byte if the table has at most 256 values, otherwise two.
 */
export interface Postings {
  readonly slots: Uint16Array;
  readonly values: Float32Array | Uint16Array | Uint8Array;
  readonly table: Float32Array | undefined;
}

// The longest table whose indexes fit into a byte.
const maxByteTable = 256;

function valueBytesWith(table: Float32Array | undefined): ValueBytes {
  if (!table) return 4;
  return table.length <= maxByteTable ? 1 : 2;
}

const valueArrays = { 1: Uint8Array, 2: Uint16Array, 4: Float32Array } as const;

/** Entries in the memory of a kernel that adds posting lists to sums by slot. */
export interface PostingsKernel {
  /** All zero between searches. */
  readonly sums: Float32Array;
  /** Adds the lists of all ordinals that are not negative to the sums, in their order. */
  add(starts: Uint32Array, ordinals: Int32Array, weights: Float32Array): void;
  /**
   * Returns the slots whose sum is at least `least`, which is above 0, ascending. The result is valid
   * until the next call.
   */
  select(least: number): Int32Array;
}

/** Entries to be written, and their kernel if there is one. */
export interface AllocatedPostings extends Postings {
  readonly kernel: PostingsKernel | undefined;
}

/** Allocates entries. The table is copied. Small segments have no kernel, and none without SIMD. */
export function allocatePostings(
  slotCount: number,
  entryCount: number,
  table: Float32Array | undefined,
): AllocatedPostings {
  const inMemory = slotCount < minSlots ? undefined : allocateInMemory(slotCount, entryCount, table);
  if (inMemory) return inMemory;
  const ValueArray = valueArrays[valueBytesWith(table)];
  return { slots: new Uint16Array(entryCount), values: new ValueArray(entryCount), table, kernel: undefined };
}

function allocateInMemory(
  slotCount: number,
  entryCount: number,
  table: Float32Array | undefined,
): AllocatedPostings | undefined {
  let bytes = 0;
  const reserve = (byteLength: number): number => {
    const at = bytes;
    bytes += Math.ceil(byteLength / alignment) * alignment;
    return at;
  };
  const leastAt = reserve(alignment);
  const sumCount = Math.ceil(slotCount / scoresPerStep) * scoresPerStep;
  const sumsAt = reserve(sumCount * 4);
  // The kernel writes one position beyond the last one.
  const selectedAt = reserve((sumCount + 1) * 4);
  const listsAt = reserve(maxLists * listBytes);
  const tableAt = reserve((table?.length ?? 0) * 4);
  const slotsAt = reserve(entryCount * 2);
  const valueBytes = valueBytesWith(table);
  const valuesAt = reserve(entryCount * valueBytes);
  try {
    if (!webAssembly) return undefined;
    const memory = new webAssembly.Memory({ initial: Math.ceil(bytes / pageBytes) });
    const addLists = instantiate(compileOnce(adders[valueBytes]), addPostingsName, memory);
    const select = instantiate(compileOnce(assembleSelectScores), selectScoresName, memory);
    if (!addLists || !select) return undefined;
    const { buffer } = memory;
    const sums = new Float32Array(buffer, sumsAt, sumCount);
    const selected = new Int32Array(buffer, selectedAt, sumCount);
    const limit = new Float32Array(buffer, leastAt, 1);
    const end = new Int32Array(buffer, leastAt + 4, 1);
    const bounds = new Uint32Array(buffer, listsAt, (maxLists * listBytes) / 4);
    const listWeights = new Float64Array(buffer, listsAt, (maxLists * listBytes) / 8);
    if (table) new Float32Array(buffer, tableAt, table.length).set(table);
    const flush = (count: number): void => {
      if (count > 0) addLists(listsAt, listsAt + count * listBytes, sumsAt, slotsAt, valuesAt, tableAt);
    };
    return {
      slots: new Uint16Array(buffer, slotsAt, entryCount),
      values: new valueArrays[valueBytes](buffer, valuesAt, entryCount),
      table: table && new Float32Array(buffer, tableAt, table.length),
      kernel: {
        sums,
        add: (starts, ordinals, weights) => {
          let count = 0;
          for (let i = 0; i < ordinals.length; i++) {
            const ordinal = ordinals[i] ?? -1;
            if (ordinal < 0) continue;
            bounds[count * 4] = starts[ordinal] ?? 0;
            bounds[count * 4 + 1] = starts[ordinal + 1] ?? 0;
            listWeights[count * 2 + 1] = weights[i] ?? 0;
            count += 1;
            if (count < maxLists) continue;
            flush(count);
            count = 0;
          }
          flush(count);
        },
        select: (least) => {
          limit[0] = least;
          select(sumsAt, sumsAt + sumCount * 4, leastAt, selectedAt);
          return selected.subarray(0, ((end[0] ?? 0) - selectedAt) / 4);
        },
      },
    };
  } catch {
    return undefined;
  }
}
