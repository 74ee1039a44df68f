import { type SearchModel, SearchModelState } from '@lectern/contracts';

const STATES: Readonly<Record<string, string>> = {
  [SearchModelState.AVAILABLE]: 'available',
  [SearchModelState.DOWNLOADING]: 'downloading',
  [SearchModelState.READY]: 'ready',
  [SearchModelState.MOVING]: 'moving',
  [SearchModelState.ACTIVE]: 'active',
  [SearchModelState.FAILED]: 'failed',
};

/** An embedding model that a team can choose. */
export function searchModelRecord({ state, done, total, passagesPerSecond, error, ...model }: SearchModel) {
  const isRunning = state === SearchModelState.DOWNLOADING || state === SearchModelState.MOVING;
  return {
    ...model,
    passagesPerSecond: passagesPerSecond ?? null,
    state: STATES[state] ?? 'unavailable',
    progress: isRunning ? { done, total } : null,
    error: error ?? null,
  };
}
