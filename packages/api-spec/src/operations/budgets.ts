import { isId } from '@lectern/contracts';
import { z } from 'zod';
import { jsonBody, withoutBody } from '#body';
import { exampleId, flag, integer, linkedIds, modelName, pageQuery, text, timestamp } from '#fields';
import { none, one, operation, pageOf } from '#operation';

const MAX_TOKENS = 1_000_000_000_000;
const MAX_COST = 1_000_000_000;
const MAX_PRICE = 1_000_000;
const MAX_PRICES = 200;
/** The smallest difference between two amounts of money. */
const STEP = 0.000001;
/** Completes “This API key may not …”. */
const MANAGE = 'manage budgets';

/** The id of the budget of all people without one of their own. */
const PEOPLE = 'people';

const tokenLimit = z.int().min(1).max(MAX_TOKENS).nullable();
const costLimit = z.number().min(STEP).max(MAX_COST).nullable();

const SOFT_TOKENS = {
  description: 'Tokens per month from which responses and the console warn. Null for none.',
  examples: [800_000],
};
const HARD_TOKENS = {
  description: 'Tokens per month at which replies and agent runs are rejected. Null for none.',
  examples: [1_000_000],
};
const SOFT_COST = { description: 'The same as `softTokens`, as a cost.', examples: [40] };
const HARD_COST = { description: 'The same as `hardTokens`, as a cost.', examples: [50] };

const isAtMost = (soft: number | null, hard: number | null) => soft === null || hard === null || soft <= hard;

const limits = {
  softTokens: tokenLimit.default(null).meta(SOFT_TOKENS),
  hardTokens: tokenLimit.default(null).meta(HARD_TOKENS),
  softCost: costLimit.default(null).meta(SOFT_COST),
  hardCost: costLimit.default(null).meta(HARD_COST),
};

const limitsBody = z
  .strictObject(limits)
  .refine(({ softTokens, hardTokens }) => isAtMost(softTokens, hardTokens), {
    path: ['softTokens'],
    error: 'must be at most `hardTokens`',
  })
  .refine(({ softCost, hardCost }) => isAtMost(softCost, hardCost), {
    path: ['softCost'],
    error: 'must be at most `hardCost`',
  })
  .meta({
    id: 'BudgetLimits',
    description: 'The limits of a calendar month in UTC. Omitted ones are removed.',
    examples: [{ softTokens: 800_000, hardTokens: 1_000_000 }],
  });

const state = z.enum(['ok', 'soft_limit', 'hard_limit']).meta({
  id: 'BudgetState',
  description:
    '`soft_limit`: a soft limit is reached, and responses warn. `hard_limit`: replies and agent runs are rejected until the month ends or an admin raises the limit.',
});

const BUDGET_EXAMPLE = {
  id: exampleId('person'),
  kind: 'person',
  name: 'Ada Lovelace',
  isDefault: false,
  softTokens: 800_000,
  hardTokens: 1_000_000,
  softCost: null,
  hardCost: null,
  usedTokens: 120_000,
  usedCost: 1.25,
  state: 'ok',
  resetsAt: '2026-12-01T00:00:00.000Z',
};

export const budgetSchema = z
  .object({
    id: text('The id of the person or the key pair, or `people` for the default of all people.').register(linkedIds, {
      kind: 'budget',
    }),
    kind: z.enum(['person', 'key', 'people']).meta({ id: 'BudgetKind', description: 'Whose budget it is.' }),
    name: text('The name of the person or the key pair. `All people` for the default.'),
    isDefault: flag('True if the subject has no budget of its own: the limits are those of `people`, or none.'),
    softTokens: tokenLimit.meta(SOFT_TOKENS),
    hardTokens: tokenLimit.meta(HARD_TOKENS),
    softCost: costLimit.meta(SOFT_COST),
    hardCost: costLimit.meta(HARD_COST),
    usedTokens: integer('Tokens used in this month. 0 for `people`, whose limits apply to each person.'),
    usedCost: z.number().meta({ description: 'The cost of these tokens.', examples: [1.25] }),
    state,
    resetsAt: timestamp('When the next month begins.'),
  })
  .meta({
    id: 'Budget',
    description: 'The limits of a person or a key pair for a calendar month in UTC, and what was used of them.',
    examples: [BUDGET_EXAMPLE],
  });

const params = z.object({
  id: z
    .string()
    .refine((value) => value === PEOPLE || isId('person', value) || isId('key', value), {
      params: { resource: 'budget' },
    })
    .register(linkedIds, { kind: 'budget' })
    .meta({
      description: 'The id of a person or a key pair, or `people` for the default of all people.',
      examples: [PEOPLE],
    }),
});

export const listBudgets = operation({
  id: 'listBudgets',
  method: 'get',
  path: '/api/v1/budgets',
  summary: 'List budgets',
  description:
    'Lists the default of all people, and every person and key pair that has limits of its own or has used tokens in this month, the highest use first.',
  access: 'secret',
  fullScopeTo: MANAGE,
  params: none,
  query: pageQuery,
  body: withoutBody,
  success: 200,
  response: pageOf(z.array(budgetSchema)),
});

export const getBudget = operation({
  id: 'getBudget',
  method: 'get',
  path: '/api/v1/budgets/{id}',
  summary: 'Get a budget',
  description: 'Returns the limits that apply to a person or a key pair, and what was used in this month.',
  access: 'secret',
  fullScopeTo: MANAGE,
  params,
  query: none,
  body: withoutBody,
  success: 200,
  response: one(budgetSchema),
});

export const setBudget = operation({
  id: 'setBudget',
  method: 'put',
  path: '/api/v1/budgets/{id}',
  summary: 'Set a budget',
  description:
    'Sets the limits of a person, a key pair, or all people. They apply from the next request on, and to what was already used in this month.',
  access: 'secret',
  fullScopeTo: MANAGE,
  params,
  query: none,
  body: jsonBody(limitsBody),
  success: 200,
  response: one(budgetSchema),
});

export const deleteBudget = operation({
  id: 'deleteBudget',
  method: 'delete',
  path: '/api/v1/budgets/{id}',
  summary: 'Delete a budget',
  description:
    'Removes the limits of a person, a key pair, or all people. The default of all people then applies to a person. What was used stays counted.',
  access: 'secret',
  fullScopeTo: MANAGE,
  params,
  query: none,
  body: withoutBody,
  success: 200,
  response: one(budgetSchema),
});

// Prices

const price = z.number().min(0).max(MAX_PRICE);

const priceFields = {
  model: modelName
    .refine((model) => !model.startsWith('builtin'), 'must not be a built-in model: these cost nothing')
    .meta({ description: 'The id of a language model from `GET /api/v1/models`.', examples: ['gpt-4.1-mini'] }),
  inputPerMillion: price.meta({ description: 'The price of a million tokens of prompts.', examples: [0.4] }),
  outputPerMillion: price.meta({ description: 'The price of a million tokens of replies.', examples: [1.6] }),
};
const PRICE_EXAMPLE = { model: 'gpt-4.1-mini', inputPerMillion: 0.4, outputPerMillion: 1.6 };

const priceSchema = z.object(priceFields).meta({
  id: 'ModelPrice',
  description: 'What the team pays for a model, in the currency of its invoices.',
  examples: [PRICE_EXAMPLE],
});

const pricesBody = z
  .strictObject({
    prices: z
      .array(z.strictObject(priceFields).meta({ id: 'ModelPriceInput', description: 'The price of one model.' }))
      .max(MAX_PRICES)
      .refine((prices) => new Set(prices.map(({ model }) => model)).size === prices.length, 'must name each model once')
      .meta({ description: 'All prices. Models that are not in the list cost nothing.' }),
  })
  .meta({ id: 'ModelPrices', description: 'The prices of a team.', examples: [{ prices: [PRICE_EXAMPLE] }] });

export const listModelPrices = operation({
  id: 'listModelPrices',
  method: 'get',
  path: '/api/v1/model-prices',
  summary: 'List the prices of models',
  description: 'Lists the prices that costs are calculated with.',
  access: 'secret',
  fullScopeTo: MANAGE,
  params: none,
  query: none,
  body: withoutBody,
  success: 200,
  response: one(z.array(priceSchema)),
});

export const setModelPrices = operation({
  id: 'setModelPrices',
  method: 'put',
  path: '/api/v1/model-prices',
  summary: 'Set the prices of models',
  description: 'Replaces all prices. They apply to requests from now on: earlier costs stay as they were calculated.',
  access: 'secret',
  fullScopeTo: MANAGE,
  params: none,
  query: none,
  body: jsonBody(pricesBody),
  success: 200,
  response: one(z.array(priceSchema)),
});
