import type { Client } from '../client.ts';
import type { Body, CallOptions, Query } from '../types.ts';

/** The team's connections to providers of language models, and its default model. */
export const createModelEndpoints = (client: Client) => ({
  list: (query: Query<'listModelEndpoints'> = {}, options?: CallOptions) =>
    client.list('listModelEndpoints', { query }, options),
  create: (body: Body<'createModelEndpoint'>, options?: CallOptions) =>
    client.call('createModelEndpoint', { body }, options),
  get: (id: string, options?: CallOptions) => client.call('getModelEndpoint', { path: { id } }, options),
  update: (id: string, body: Body<'updateModelEndpoint'>, options?: CallOptions) =>
    client.call('updateModelEndpoint', { path: { id }, body }, options),
  delete: (id: string, options?: CallOptions) => client.call('deleteModelEndpoint', { path: { id } }, options),
  /** Lists the models and asks one for a word. Nothing is stored. */
  test: (body: Body<'testModelEndpoint'>, options?: CallOptions) => client.call('testModelEndpoint', { body }, options),
  settings: (options?: CallOptions) => client.call('getModelSettings', {}, options),
  /** Chooses the default model of the team. */
  updateSettings: (body: Body<'updateModelSettings'>, options?: CallOptions) =>
    client.call('updateModelSettings', { body }, options),
});
