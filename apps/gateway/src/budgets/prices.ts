import type { ModelPrice, Prisma } from '#gen/prisma/client';

export interface Tokens {
  readonly promptTokens: number;
  readonly completionTokens: number;
}

/** What a number of tokens means for a budget. Costs are in millionths. */
export interface Amount {
  readonly tokens: bigint;
  readonly cost: bigint;
}

export const NOTHING: Amount = { tokens: 0n, cost: 0n };

/** Prices are per million tokens. */
const PER = 1_000_000n;

/** The prices of a team. A model without a price costs nothing. */
export type Prices = readonly Pick<ModelPrice, 'model' | 'input' | 'output'>[];

export const readPrices = (db: Prisma.TransactionClient, teamId: string): Promise<ModelPrice[]> =>
  db.modelPrice.findMany({ where: { teamId }, orderBy: { model: 'asc' } });

/** Rounds up, so that no request with a price is free. */
const costOf = (input: bigint, output: bigint, { promptTokens, completionTokens }: Tokens): bigint =>
  (BigInt(promptTokens) * input + BigInt(completionTokens) * output + PER - 1n) / PER;

const highest = (values: readonly bigint[]) => values.reduce((most, value) => (value > most ? value : most), 0n);

/** Returns the cost of tokens. While the model is unknown, the highest prices of the team apply. */
export function amountOf(prices: Prices, model: string | undefined, tokens: Tokens): Amount {
  const applicable = model === undefined ? prices : prices.filter((price) => price.model === model);
  const input = highest(applicable.map((price) => price.input));
  const output = highest(applicable.map((price) => price.output));
  return { tokens: BigInt(tokens.promptTokens + tokens.completionTokens), cost: costOf(input, output, tokens) };
}
