import type { Client } from '../client.ts';
import type { Body, CallOptions } from '../types.ts';

/** Asking over documents. */
export const createChat = (client: Client) => ({
  /** Asks, and answers the whole reply. Spends money where a model does, so only the SDK's Idempotency-Key makes it repeat. */
  send: async (body: Body<'chat'>, options?: CallOptions) =>
    client.call('chat', { path: { teamId: await client.teamId(options) }, body }, options),
  /** Asks, and answers the reply as it is written. */
  stream: (body: Body<'streamChat'>, options?: CallOptions) =>
    client.events('streamChat', async () => ({ path: { teamId: await client.teamId(options) }, body }), options),
  /** The language models that a chat may name. */
  models: (options?: CallOptions) => client.call('listModels', {}, options),
});
