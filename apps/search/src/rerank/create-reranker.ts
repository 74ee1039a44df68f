import { postJson } from '@lectern/embeddings';
import { AppError, ConfigError } from '@lectern/service-kit';
import { guessStyle, RERANK_FORMS } from '#rerank/rerank-forms';
import type { RerankConfig } from '#rerank/rerank-settings';

/** Says what passages are worth as answers to a query, reading both together. */
export interface Reranker {
  /** A score from 0 to 1 for each text, in order. Rejects with `AppError`. */
  score(query: string, texts: readonly string[], signal: AbortSignal): Promise<readonly number[]>;
}

/** One more try is worth it while the time lasts. */
const TRIES = 2;

/** The reranker that the settings name, or none. Throws `ConfigError`. */
export function createReranker(config: RerankConfig): Reranker | undefined {
  const { RERANK_URL: url, RERANK_MODEL: model, RERANK_API_KEY: apiKey, RERANK_TIMEOUT_MS: totalMs } = config;
  if (url === undefined) return undefined;
  const style = config.RERANK_STYLE ?? guessStyle(url);
  if (style !== 'tei' && model === undefined) {
    throw new ConfigError([`RERANK_MODEL: must be set for the form ${style} (see RERANK_STYLE)`]);
  }
  const form = RERANK_FORMS[style];
  const endpoint = { name: 'reranker', settings: 'RERANK', url, apiKey };
  const patience = { tryMs: totalMs, totalMs, tries: TRIES };
  return {
    score: async (query, texts, signal) => {
      const answer = await postJson(endpoint, form.requestBody(model, query, texts), patience, signal);
      const scores = new Map(readScores(() => form.readScores(answer)).map(({ index, score }) => [index, score]));
      return texts.map((_, at) => {
        const score = scores.get(at);
        if (score === undefined) throw new AppError('upstream_error', 'The reranker left out a text.');
        return Math.min(1, Math.max(0, score));
      });
    },
  };
}

function readScores<T>(read: () => T): T {
  try {
    return read();
  } catch (cause) {
    const message = 'The reranker answered in another form: check RERANK_STYLE.';
    throw new AppError('upstream_error', message, { cause });
  }
}
