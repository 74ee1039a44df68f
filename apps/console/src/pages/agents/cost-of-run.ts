import type { ModelPrice, Usage } from '#api/types.ts';

const MILLION = 1_000_000;

/** The cost of a run by the current prices. Undefined if the model has no price. */
export function costOfRun(
  prices: readonly ModelPrice[],
  model: string | undefined,
  { promptTokens, completionTokens }: Pick<Usage, 'promptTokens' | 'completionTokens'>,
): number | undefined {
  const price = prices.find((one) => one.model === model);
  if (price === undefined) return undefined;
  return (promptTokens * price.inputPerMillion + completionTokens * price.outputPerMillion) / MILLION;
}
