import type { localModelSettings } from '@lectern/embeddings';
import { z } from 'zod';

/** Settings of the reranker; described in docs/search.md. */
export const rerankSettings = {
  /** `onnx`: a model in this process. Otherwise a server at RERANK_URL, if that is set. */
  RERANK_PROVIDER: z.enum(['http', 'onnx']).default('http'),
  /** The full URL of `/rerank`. Without it, reranking over HTTP is off. */
  RERANK_URL: z.url({ protocol: /^https?$/, error: 'must be an http:// or https:// URL' }).optional(),
  /** Required by every API except TEI; for `onnx`, the name of a downloaded model. */
  RERANK_MODEL: z.string().optional(),
  RERANK_API_KEY: z.string().optional(),
  /** The API style; guessed from the URL by default. */
  RERANK_STYLE: z.enum(['cohere', 'jina', 'tei', 'voyage']).optional(),
  /** How long a search waits for the reranker, in milliseconds. */
  RERANK_TIMEOUT_MS: z.coerce.number().int().min(50).max(30_000).default(2_000),
  /** The documents to rerank; by default 50, and 10 for `onnx`. */
  RERANK_DOCUMENTS: z.coerce.number().int().min(1).max(50).optional(),
  /** For `onnx`: the folder of a model, its precision, and the length at which texts are cut. */
  RERANK_MODEL_DIR: z.string().optional(),
  RERANK_DTYPE: z.enum(['fp32', 'fp16', 'q8']).optional(),
  RERANK_MAX_TOKENS: z.coerce.number().int().min(16).max(8_192).default(256),
};

/** The reranker's part of the configuration. */
export type RerankConfig = z.output<z.ZodObject<typeof rerankSettings & typeof localModelSettings>>;
