import { observe } from '#metrics/instruments';
import { within } from '#within';

/** The name of an engine in metrics and logs. */
export type Dependency = 'postgresql' | 'nats' | 'qdrant';

/**
 * The engines that a service needs. A check rejects if its engine is unavailable; its signal is
 * aborted after a timeout.
 */
export type Dependencies = Readonly<Partial<Record<Dependency, (signal: AbortSignal) => Promise<unknown>>>>;

/**
 * Less than the timeout of a metric, so that a slow dependency counts as down and not as unknown.
 */
const CHECK_TIMEOUT_MS = 900;

/** Checks all dependencies in parallel. `error` is set for those that do not respond. */
export function checkDependencies(
  dependencies: Dependencies,
): Promise<readonly { readonly name: string; readonly error?: unknown }[]> {
  const checks = Object.entries(dependencies).map(async ([name, check]) => {
    try {
      await within(CHECK_TIMEOUT_MS, check);
      return { name };
    } catch (error) {
      return { name, error };
    }
  });
  return Promise.all(checks);
}

/** Exports whether each dependency responds. */
export function observeDependencies(dependencies: Dependencies): () => void {
  return observe('lectern_dependency_up', '1 if the dependency answers the service, else 0', async () => {
    const checked = await checkDependencies(dependencies);
    return checked.map(({ name, error }) => [error === undefined ? 1 : 0, { dependency: name }]);
  });
}
