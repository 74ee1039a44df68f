import { observe } from '../metrics/instruments.ts';
import { within } from '../within.ts';

/** The name of an engine, in figures and logs. */
export type Dependency = 'postgresql' | 'nats' | 'qdrant';

/** What a service needs. A check rejects where it is away; once it has taken too long, its signal is aborted. */
export type Dependencies = Readonly<Partial<Record<Dependency, (signal: AbortSignal) => Promise<unknown>>>>;

/** Below what the reading of a figure may take: what is late is away, and not unknown. */
const ANSWER_MS = 900;

/** How each dependency is, all asked at once: `error` says why it does not answer. */
export function askDependencies(
  dependencies: Dependencies,
): Promise<readonly { readonly name: string; readonly error?: unknown }[]> {
  const asked = Object.entries(dependencies).map(async ([name, check]) => {
    try {
      await within(ANSWER_MS, check);
      return { name };
    } catch (error) {
      return { name, error };
    }
  });
  return Promise.all(asked);
}

/** Tells, whenever metrics are collected, whether each dependency answers. */
export function observeDependencies(dependencies: Dependencies): () => void {
  return observe('lectern_dependency_up', 'Whether what the service needs answers it: 1, else 0', async () => {
    const asked = await askDependencies(dependencies);
    return asked.map(({ name, error }) => [error === undefined ? 1 : 0, { dependency: name }]);
  });
}
