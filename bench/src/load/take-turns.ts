import { joinLoads, type LoadResult } from '#load/latency';

/** Measures one contender for a part of its time. */
export type Turn = (durationMs: number) => Promise<LoadResult>;

/**
 * Gives every contender the same time, in short turns whose order is reversed each round (AB BA AB BA), so that whatever else the
 * machine does at the time slows all of them alike.
 */
export async function takeTurns(
  contenders: readonly Turn[],
  totalMs: number,
  rounds: number,
): Promise<readonly LoadResult[]> {
  const results: LoadResult[][] = contenders.map(() => []);
  for (let round = 0; round < rounds; round += 1) {
    const order = [...contenders.entries()];
    for (const [at, turn] of round % 2 === 0 ? order : order.reverse()) {
      results[at]?.push(await turn(totalMs / rounds));
    }
  }
  return results.map(joinLoads);
}
