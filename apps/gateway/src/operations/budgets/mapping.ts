import { isId } from '@lectern/contracts';
import { MICROS } from '#budgets/budget-errors';
import type { BudgetState } from '#budgets/budget-store';
import { type Limits, PEOPLE, reachedHard, reachedSoft } from '#budgets/limits';
import { endOfMonth } from '#budgets/month';
import type { ModelPrice } from '#gen/prisma/client';
import { time } from '#operations/convert';

const toNumber = (value: bigint | null) => (value === null ? null : Number(value));
const toMoney = (value: bigint | null) => (value === null ? null : Number(value) / MICROS);
const fromMoney = (value: number) => BigInt(Math.round(value * MICROS));

interface LimitsBody {
  readonly softTokens: number | null;
  readonly hardTokens: number | null;
  readonly softCost: number | null;
  readonly hardCost: number | null;
}

/** The limits of a budget in a response. */
const limitsRecord = ({ softTokens, hardTokens, softCost, hardCost }: Limits): LimitsBody => ({
  softTokens: toNumber(softTokens),
  hardTokens: toNumber(hardTokens),
  softCost: toMoney(softCost),
  hardCost: toMoney(hardCost),
});

/** Converts the limits in a body. */
export const limitsOf = ({ softTokens, hardTokens, softCost, hardCost }: LimitsBody): Limits => ({
  softTokens: softTokens === null ? null : BigInt(softTokens),
  hardTokens: hardTokens === null ? null : BigInt(hardTokens),
  softCost: softCost === null ? null : fromMoney(softCost),
  hardCost: hardCost === null ? null : fromMoney(hardCost),
});

function kindOf(id: string): 'people' | 'person' | 'key' {
  if (id === PEOPLE) return 'people';
  return isId('person', id) ? 'person' : 'key';
}

function stateOf({ limits, used }: BudgetState): 'ok' | 'soft_limit' | 'hard_limit' {
  if (reachedHard(limits, used) !== undefined) return 'hard_limit';
  return reachedSoft(limits, used) === undefined ? 'ok' : 'soft_limit';
}

/** A budget. */
export const budgetRecord = (budget: BudgetState) => ({
  id: budget.id,
  kind: kindOf(budget.id),
  name: budget.name,
  isDefault: budget.isDefault,
  ...limitsRecord(budget.limits),
  usedTokens: Number(budget.used.tokens),
  usedCost: Number(budget.used.cost) / MICROS,
  state: stateOf(budget),
  resetsAt: time(endOfMonth(budget.month)),
});

/** The price of a model. */
export const priceRecord = ({ model, input, output }: ModelPrice) => ({
  model,
  inputPerMillion: toMoney(input),
  outputPerMillion: toMoney(output),
});

interface PriceBody {
  readonly model: string;
  readonly inputPerMillion: number;
  readonly outputPerMillion: number;
}

/** Converts a price in a body. */
export const priceOf = ({ model, inputPerMillion, outputPerMillion }: PriceBody) => ({
  model,
  input: fromMoney(inputPerMillion),
  output: fromMoney(outputPerMillion),
});
