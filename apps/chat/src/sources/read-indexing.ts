import type { IndexingState } from '@lectern/grounding';
import { AppError } from '@lectern/service-kit';
import type { SearchScope } from '#sources/search-scope';
import type { TurnDeps } from '#turn/turn-request';

const NOTHING: IndexingState = { searchable: false, pending: 0, languages: [] };

/**
 * Returns a function that reads what a turn can search, at its first call. A failure only makes a
 * reply without an answer less specific, so it resolves to undefined then.
 */
export function indexingReader(
  { services, signal, log }: Pick<TurnDeps, 'services' | 'signal' | 'log'>,
  scope: SearchScope,
): () => Promise<IndexingState | undefined> {
  let reading: Promise<IndexingState | undefined> | undefined;
  const read = async () => {
    if (scope.kind === 'nothing') return NOTHING;
    try {
      return await services.readIndexing(scope.ids, signal);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      log.warn({ err: error }, 'could not read whether documents are being indexed');
      return undefined;
    }
  };
  return () => {
    reading ??= read();
    return reading;
  };
}
