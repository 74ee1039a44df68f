import { createOnnxScorer, postJson } from '@lectern/embeddings';
import { AppError, ConfigError, type Logger } from '@lectern/service-kit';
import { guessStyle, RERANK_APIS } from '#rerank/rerank-apis';
import type { RerankConfig } from '#rerank/rerank-settings';

/** Scores passages as answers to a query by reading both together. */
export interface Reranker {
  /** The first documents of a ranking that it reads, and how many passages of each. */
  readonly documents: number;
  readonly passagesPerDocument: number;
  /** A score from 0 to 1 for each text, in order. Rejects with `AppError`. */
  score(query: string, texts: readonly string[], signal: AbortSignal): Promise<readonly number[]>;
}

/** One retry, if there is time. */
const ATTEMPTS = 2;

const HTTP_LIMITS = { documents: 50, passagesPerDocument: 2 } as const;
/** A small model reads about 20 to 40 passages per second on one CPU core. */
const ONNX_LIMITS = { documents: 10, passagesPerDocument: 2 } as const;

/** Creates the configured reranker; undefined without one. Throws `ConfigError`. */
export function createReranker(config: RerankConfig, log: Logger): Reranker | undefined {
  if (config.RERANK_PROVIDER === 'onnx') return createLocalReranker(config, log);
  const { RERANK_URL: url, RERANK_MODEL: model, RERANK_API_KEY: apiKey, RERANK_TIMEOUT_MS: totalMs } = config;
  if (url === undefined) return undefined;
  const style = config.RERANK_STYLE ?? guessStyle(url);
  if (style !== 'tei' && model === undefined) {
    throw new ConfigError([`RERANK_MODEL: is required with RERANK_STYLE=${style}`]);
  }
  const api = RERANK_APIS[style];
  const endpoint = { name: 'reranker', settings: 'RERANK', url, apiKey };
  const limits = { attemptMs: totalMs, totalMs, attempts: ATTEMPTS };
  return {
    ...HTTP_LIMITS,
    ...chosenDocuments(config),
    score: async (query, texts, signal) => {
      const response = await postJson(endpoint, api.requestBody(model, query, texts), limits, signal);
      const scores = new Map(readScores(() => api.readScores(response)).map(({ index, score }) => [index, score]));
      return texts.map((_, at) => {
        const score = scores.get(at);
        if (score === undefined)
          throw new AppError('upstream_error', 'The reranker did not score every text. Check RERANK_STYLE.');
        return Math.min(1, Math.max(0, score));
      });
    },
  };
}

const chosenDocuments = ({ RERANK_DOCUMENTS: documents }: RerankConfig) =>
  documents === undefined ? {} : { documents };

function createLocalReranker(config: RerankConfig, log: Logger): Reranker {
  const scorer = createOnnxScorer({
    model: config.RERANK_MODEL,
    modelDir: config.RERANK_MODEL_DIR,
    modelsDir: config.MODELS_DIR,
    precision: config.RERANK_DTYPE,
    maxTokens: config.RERANK_MAX_TOKENS,
    threads: config.MODEL_THREADS,
    timeoutMs: config.RERANK_TIMEOUT_MS,
    log,
  });
  return {
    ...ONNX_LIMITS,
    ...chosenDocuments(config),
    score: scorer.score,
  };
}

function readScores<T>(read: () => T): T {
  try {
    return read();
  } catch (cause) {
    const message = 'The reranker returned an unexpected response. Check RERANK_STYLE.';
    throw new AppError('upstream_error', message, { cause });
  }
}
