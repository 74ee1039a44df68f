import { z } from 'zod';

/** Settings of the reranker; described in docs/search.md. */
export const rerankSettings = {
  /** The full URL of `/rerank`. Without it, reranking is off. */
  RERANK_URL: z.url({ protocol: /^https?$/, error: 'must be an http:// or https:// URL' }).optional(),
  /** Required by every API except TEI. */
  RERANK_MODEL: z.string().optional(),
  RERANK_API_KEY: z.string().optional(),
  /** The API style; guessed from the URL by default. */
  RERANK_STYLE: z.enum(['cohere', 'jina', 'tei', 'voyage']).optional(),
  /** How long a search waits for the reranker, in milliseconds. */
  RERANK_TIMEOUT_MS: z.coerce.number().int().min(50).max(30_000).default(2_000),
};

/** The reranker's part of the configuration. */
export type RerankConfig = z.output<z.ZodObject<typeof rerankSettings>>;
