/**
 * Returns how many runs a property test needs: `full` in `npm run test:systems`, which sets
 * LECTERN_FULL_RUNS=1, and `quick` in `npm test`.
 */
export function runCount({ quick, full }: { readonly quick: number; readonly full: number }): number {
  return process.env.LECTERN_FULL_RUNS === '1' ? full : quick;
}
