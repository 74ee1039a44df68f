import type { Client } from '../client.ts';
import { ReplyStream } from '../streams.ts';
import type { Body, CallOptions } from '../types.ts';

/** Questions about documents. */
export const createChat = (client: Client) => ({
  /** Sends a message and returns the complete reply. */
  send: async (body: Body<'chat'>, options?: CallOptions) =>
    client.call('chat', { path: { teamId: await client.teamId(options) }, body }, options),
  /** Sends a message and streams the reply: its events, `text()` or `final()`. */
  stream: (body: Body<'streamChat'>, options?: CallOptions) =>
    new ReplyStream(
      client.events('streamChat', async () => ({ path: { teamId: await client.teamId(options) }, body }), options),
    ),
  /** Questions to start with, about documents that the caller may read. */
  suggestions: async (options?: CallOptions) =>
    client.call('getSuggestions', { path: { teamId: await client.teamId(options) } }, options),
  /** The language models available to a chat. */
  models: (options?: CallOptions) => client.call('listModels', {}, options),
});
