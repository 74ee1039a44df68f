import type { Client } from '../client.ts';
import type { Body, CallOptions, Query } from '../types.ts';

/** Questions whose reply should be reviewed. */
export const createQuestions = (client: Client) => ({
  list: (query: Query<'listQuestions'> = {}, options?: CallOptions) => client.list('listQuestions', { query }, options),
  /** Marks a question as done, or as open again. */
  update: (id: string, body: Body<'updateQuestion'>, options?: CallOptions) =>
    client.call('updateQuestion', { path: { id }, body }, options),
});
