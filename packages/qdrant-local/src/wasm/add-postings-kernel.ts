import { assembleModule, op } from './assemble.ts';

/** The name of the function. */
export const addPostingsName = 'add';

/** The size of a value in bytes. */
export type ValueBytes = 1 | 2 | 4;

/** The size of a list's description: its first entry and its end, then its weight as 64-bit float. */
export const listBytes = 16;

// Parameters: the addresses of the first list, the end of the lists, the sums, the slots, the values
// and the table.
const [list, lists, sums, slots, values, table] = [0, 1, 2, 3, 4, 5];
const [slotAt, valueAt, end, sumAt] = [6, 7, 8, 9];
const weight = 10;

const entriesPerStep = 4;

function advance(local: number, bytes: number): number[] {
  return [...op.get(local), ...op.constant(bytes), ...op.add, ...op.set(local)];
}

/** The address of an element: base + index × 2^shift. */
function addressOf(base: number, index: readonly number[], shift: number): number[] {
  return [...op.get(base), ...index, ...op.constant(shift), ...op.shiftLeft, ...op.add];
}

/**
 * Assembles a function that adds posting lists to 32-bit sums by slot: each product of a value and the
 * weight of its list is calculated and added as 64-bit floats, and the sum rounded, as in JavaScript.
 * Values of 1 or 2 bytes are indexes into the table, and values of 4 bytes are 32-bit floats. Lists are
 * not empty.
 */
export function assembleAddPostings(valueBytes: ValueBytes): Uint8Array<ArrayBuffer> {
  const valueShift = Math.log2(valueBytes);
  const loadIndex = valueBytes === 1 ? op.loadByte : op.loadShort;
  const loadValue = (entry: number): number[] =>
    valueBytes === 4
      ? [...op.get(valueAt), ...op.double.loadFloat(entry * 4)]
      : [...addressOf(table, [...op.get(valueAt), ...loadIndex(entry * valueBytes)], 2), ...op.double.loadFloat(0)];
  const addEntry = (entry: number): number[] => [
    ...addressOf(sums, [...op.get(slotAt), ...op.loadShort(entry * 2)], 2),
    ...op.set(sumAt),
    ...op.get(sumAt),
    ...op.get(sumAt),
    ...op.double.loadFloat(0),
    ...op.get(weight),
    ...loadValue(entry),
    ...op.double.multiply,
    ...op.double.add,
    ...op.double.storeFloat(0),
  ];
  const step = (entryCount: number): number[] => [
    ...Array.from({ length: entryCount }, (_, entry) => addEntry(entry)).flat(),
    ...advance(slotAt, entryCount * 2),
    ...advance(valueAt, entryCount * valueBytes),
  ];
  const isBelowEnd = (bytes: number): number[] => [
    ...op.get(slotAt),
    ...op.constant(bytes),
    ...op.add,
    ...op.get(end),
    ...op.isBelow,
  ];
  const body = op.repeatWhile([
    ...addressOf(slots, [...op.get(list), ...op.load(0)], 1),
    ...op.set(slotAt),
    ...addressOf(values, [...op.get(list), ...op.load(0)], valueShift),
    ...op.set(valueAt),
    ...addressOf(slots, [...op.get(list), ...op.load(4)], 1),
    ...op.set(end),
    ...op.get(list),
    ...op.double.load(8),
    ...op.set(weight),
    ...isBelowEnd((entriesPerStep - 1) * 2),
    ...op.ifNotZero(op.repeatWhile([...step(entriesPerStep), ...isBelowEnd((entriesPerStep - 1) * 2)])),
    ...isBelowEnd(0),
    ...op.ifNotZero(op.repeatWhile([...step(1), ...isBelowEnd(0)])),
    ...advance(list, listBytes),
    ...op.get(list),
    ...op.get(lists),
    ...op.isBelow,
  ]);
  const locals = [
    { type: 'i32', count: 4 },
    { type: 'f64', count: 1 },
  ] as const;
  return assembleModule({ name: addPostingsName, parameterCount: 6, locals, body });
}
