import type { Client } from '../client.ts';
import type { CallOptions, Query } from '../types.ts';

/** What was asked and replied. */
export const createConversations = (client: Client) => ({
  list: (query: Query<'listConversations'> = {}, options?: CallOptions) =>
    client.list(
      'listConversations',
      client.teamId().then((teamId) => ({ path: { teamId }, query })),
      options,
    ),
  get: async (id: string, options?: CallOptions) =>
    client.call('getConversation', { path: { teamId: await client.teamId(), id } }, options),
  delete: async (id: string, options?: CallOptions) =>
    client.call('deleteConversation', { path: { teamId: await client.teamId(), id } }, options),
});
