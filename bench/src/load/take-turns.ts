import { joinLoads, type LoadResult } from '#load/latency';

/** Measures one contender for one turn. */
export type Turn = (durationMs: number) => Promise<LoadResult>;

/**
 * Gives every contender the same time in short turns, with the order reversed each round (AB BA AB
 * BA), so that other load on the machine affects all of them equally.
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
