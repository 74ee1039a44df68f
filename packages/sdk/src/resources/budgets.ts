import type { Client } from '../client.ts';
import type { Body, CallOptions, Query } from '../types.ts';

/** Limits for tokens and cost of people and keys, by calendar month in UTC. */
export const createBudgets = (client: Client) => ({
  list: (query: Query<'listBudgets'> = {}, options?: CallOptions) => client.list('listBudgets', { query }, options),
  /** `id`: a person, a key pair, or `people` for the default of all people. */
  get: (id: string, options?: CallOptions) => client.call('getBudget', { path: { id } }, options),
  set: (id: string, body: Body<'setBudget'>, options?: CallOptions) =>
    client.call('setBudget', { path: { id }, body }, options),
  delete: (id: string, options?: CallOptions) => client.call('deleteBudget', { path: { id } }, options),
  /** The prices that costs are calculated with. */
  prices: (options?: CallOptions) => client.call('listModelPrices', {}, options),
  /** Replaces all prices. */
  setPrices: (prices: Body<'setModelPrices'>['prices'], options?: CallOptions) =>
    client.call('setModelPrices', { body: { prices } }, options),
});
