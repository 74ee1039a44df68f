import { z } from 'zod';

/** The settings of the reranker; docs/search.md describes them. */
export const rerankSettings = {
  /** The whole address of `/rerank`. Without it nothing is reranked. */
  RERANK_URL: z.url({ protocol: /^https?$/, error: 'must be an http:// or https:// address' }).optional(),
  /** Every form but TEI's wants one. */
  RERANK_MODEL: z.string().optional(),
  RERANK_API_KEY: z.string().optional(),
  /** Whose form the address speaks; guessed from it by default. */
  RERANK_STYLE: z.enum(['cohere', 'jina', 'tei', 'voyage']).optional(),
  /** Milliseconds that a search waits for it. */
  RERANK_TIMEOUT_MS: z.coerce.number().int().min(50).max(30_000).default(2_000),
};

/** What of the service's settings is about reranking. */
export type RerankConfig = z.output<z.ZodObject<typeof rerankSettings>>;
