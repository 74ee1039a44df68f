import type { Endpoint } from '#endpoint/endpoint';

/** Whether a text is a query or a document: some models encode them differently. */
export type TextKind = 'query' | 'document';

/** How one provider expects requests for vectors. All providers respond in OpenAI's format. */
export interface EmbeddingsApi {
  readonly endpoint: Endpoint;
  /**
   * The name of the vector space: provider and model, and the number of dimensions if it was
   * chosen.
   */
  readonly space: string;
  /** The maximum number of texts, and approximately of tokens, in one request. */
  readonly batch: { readonly texts: number; readonly tokens: number };
  requestBody(texts: readonly string[], kind: TextKind): Readonly<Record<string, unknown>>;
}
