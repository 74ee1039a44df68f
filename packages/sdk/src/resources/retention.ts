import type { Client } from '../client.ts';
import type { Body, CallOptions } from '../types.ts';

/** How many days data is kept. */
export const createRetention = (client: Client) => ({
  get: (options?: CallOptions) => client.call('getRetention', {}, options),
  update: (body: Body<'updateRetention'>, options?: CallOptions) => client.call('updateRetention', { body }, options),
});
