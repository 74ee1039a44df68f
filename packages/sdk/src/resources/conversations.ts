import type { Client } from '../client.ts';
import { ReplyStream } from '../streams.ts';
import type { Body, CallOptions, Query } from '../types.ts';

/** Stored conversations. */
export const createConversations = (client: Client) => ({
  list: (query: Query<'listConversations'> = {}, options?: CallOptions) =>
    client.list('listConversations', async () => ({ path: { teamId: await client.teamId(options) }, query }), options),
  get: async (id: string, options?: CallOptions) =>
    client.call('getConversation', { path: { teamId: await client.teamId(options), id } }, options),
  /** Renames or shares a conversation. */
  update: async (id: string, body: Body<'updateConversation'>, options?: CallOptions) =>
    client.call('updateConversation', { path: { teamId: await client.teamId(options), id }, body }, options),
  delete: async (id: string, options?: CallOptions) =>
    client.call('deleteConversation', { path: { teamId: await client.teamId(options), id } }, options),
  /** Regenerates the last reply. */
  regenerate: async (id: string, body: Body<'regenerate'> = {}, options?: CallOptions) =>
    client.call('regenerate', { path: { teamId: await client.teamId(options), id }, body }, options),
  /** Regenerates the last reply and streams it: its events, `text()` or `final()`. */
  streamRegenerate: (id: string, body: Body<'streamRegenerate'> = {}, options?: CallOptions) =>
    new ReplyStream(
      client.events(
        'streamRegenerate',
        async () => ({ path: { teamId: await client.teamId(options), id }, body }),
        options,
      ),
    ),
  /** Stores what the caller thinks of a reply. Replaces the caller's earlier feedback on it. */
  giveFeedback: async (id: string, messageId: string, body: Body<'giveFeedback'>, options?: CallOptions) =>
    client.call('giveFeedback', { path: { teamId: await client.teamId(options), id, messageId }, body }, options),
  /** Removes the caller's feedback on a reply. */
  deleteFeedback: async (id: string, messageId: string, options?: CallOptions) =>
    client.call('deleteFeedback', { path: { teamId: await client.teamId(options), id, messageId } }, options),
});
