import type { Endpoint } from '#endpoint/endpoint';

/** What a text is to be compared as. */
export type TextKind = 'query' | 'document';

/** One provider's form of asking for vectors. All of them answer in the form of OpenAI. */
export interface EmbeddingsApi {
  readonly endpoint: Endpoint;
  /** Names the vector space: provider and model, and the number of dimensions where a choice was made. */
  readonly space: string;
  /** Most texts, and roughly most tokens, of one request. */
  readonly batch: { readonly texts: number; readonly tokens: number };
  requestBody(texts: readonly string[], kind: TextKind): Readonly<Record<string, unknown>>;
}
