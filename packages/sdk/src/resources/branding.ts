import type { Client } from '../client.ts';
import type { Body, CallOptions } from '../types.ts';

/** The name, logo and color of the team. */
export const createBranding = (client: Client) => ({
  get: (options?: CallOptions) => client.call('getBranding', {}, options),
  update: (body: Body<'updateBranding'>, options?: CallOptions) => client.call('updateBranding', { body }, options),
});
