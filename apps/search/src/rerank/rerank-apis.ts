import { z } from 'zod';

/** The supported `/rerank` APIs. */
export type RerankStyle = 'cohere' | 'jina' | 'tei' | 'voyage';

/** The index of a text in the request, and its score. */
interface RerankScore {
  readonly index: number;
  readonly score: number;
}

/** The request and response format of one API. */
export interface RerankApi {
  requestBody(model: string | undefined, query: string, texts: readonly string[]): Readonly<Record<string, unknown>>;
  /** Throws `ZodError` for an unexpected response. */
  readScores(answer: unknown): readonly RerankScore[];
}

const relevance = z
  .object({ index: z.int().nonnegative(), relevance_score: z.number() })
  .transform(({ index, relevance_score }) => ({ index, score: relevance_score }));
const results = z.object({ results: z.array(relevance) });
const data = z.object({ data: z.array(relevance) });
const list = z.array(z.object({ index: z.int().nonnegative(), score: z.number() }));

export const RERANK_APIS: Readonly<Record<RerankStyle, RerankApi>> = {
  cohere: {
    requestBody: (model, query, documents) => ({ model, query, documents, top_n: documents.length }),
    readScores: (answer) => results.parse(answer).results,
  },
  jina: {
    requestBody: (model, query, documents) => ({
      model,
      query,
      documents,
      top_n: documents.length,
      return_documents: false,
    }),
    readScores: (answer) => results.parse(answer).results,
  },
  tei: {
    requestBody: (_model, query, texts) => ({ query, texts, raw_scores: false, truncate: true }),
    readScores: (answer) => list.parse(answer),
  },
  voyage: {
    requestBody: (model, query, documents) => ({ model, query, documents, truncation: true }),
    readScores: (answer) => data.parse(answer).data,
  },
};

/**
 * Guesses the API of an address: Cohere's is under `/v2`, TEI's has no version, Jina's and
 * compatible ones are under `/v1`.
 */
export function guessStyle(url: string): RerankStyle {
  const { hostname, pathname } = new URL(url);
  if (hostname === 'voyageai.com' || hostname.endsWith('.voyageai.com')) return 'voyage';
  if (/\/v2\//.test(pathname)) return 'cohere';
  return /\/v1\//.test(pathname) ? 'jina' : 'tei';
}
