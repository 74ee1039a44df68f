import { assembleModule, op } from './assemble.ts';

/** The name of the function. */
export const selectScoresName = 'select';

/** The number of scores is a multiple of this. */
export const scoresPerStep = 16;
const scoresPerLoad = 4;
const bytesPerLoad = scoresPerLoad * 4;

// Parameters: the addresses of the first score, the end of the scores, the least score and the first
// result.
const [at, end, least, results, base, lanes, threshold] = [0, 1, 2, 3, 4, 5, 6];

/**
 * Assembles a function that writes the positions of the 32-bit scores that are at least the least one,
 * ascending, as integers. It writes the address after the last position behind the least score, and
 * can write one position more.
 */
export function assembleSelectScores(): Uint8Array<ArrayBuffer> {
  const loads = Array.from({ length: scoresPerStep / scoresPerLoad }, (_, i) => i);
  const advance = (local: number, by: readonly number[]): number[] => [
    ...op.get(local),
    ...by,
    ...op.add,
    ...op.set(local),
  ];
  const isHigh = (load: number): number[] => [
    ...op.get(at),
    ...op.simd.load(load * bytesPerLoad),
    ...op.get(threshold),
    ...op.simd.floatsAreAtLeast,
  ];
  // Writes the position of each score, and advances only if it is high enough.
  const writeLoad = (load: number): number[] => [
    ...isHigh(load),
    ...op.simd.bitmask,
    ...op.set(lanes),
    ...Array.from({ length: scoresPerLoad }, (_, lane) => [
      ...op.get(results),
      ...op.get(at),
      ...op.get(base),
      ...op.subtract,
      ...op.constant(2),
      ...op.shiftRight,
      ...op.constant(load * scoresPerLoad + lane),
      ...op.add,
      ...op.store(0),
      ...advance(results, [
        ...op.get(lanes),
        ...op.constant(lane),
        ...op.shiftRight,
        ...op.constant(1),
        ...op.and,
        ...op.constant(2),
        ...op.shiftLeft,
      ]),
    ]).flat(),
  ];
  const body = [
    ...op.get(at),
    ...op.set(base),
    ...op.get(least),
    ...op.simd.loadFloatInAll(0),
    ...op.set(threshold),
    ...op.repeatWhile([
      ...isHigh(0),
      ...loads.slice(1).flatMap((load) => [...isHigh(load), ...op.simd.or]),
      ...op.simd.isAnySet,
      ...op.ifNotZero(loads.flatMap(writeLoad)),
      ...advance(at, op.constant(scoresPerStep * 4)),
      ...op.get(at),
      ...op.get(end),
      ...op.isBelow,
    ]),
    ...op.get(least),
    ...op.get(results),
    ...op.store(4),
  ];
  const locals = [
    { type: 'i32', count: 2 },
    { type: 'v128', count: 1 },
  ] as const;
  return assembleModule({ name: selectScoresName, parameterCount: 4, locals, body });
}
