import type { Client } from '../client.ts';
import type { CallOptions } from '../types.ts';

/** Embedding models that the team can choose. */
export const createSearchModels = (client: Client) => ({
  list: (options?: CallOptions) => client.call('listSearchModels', {}, options),
  /** Starts to use a model; the list shows the progress. */
  use: (id: string, options?: CallOptions) => client.call('useSearchModel', { path: { id } }, options),
});
