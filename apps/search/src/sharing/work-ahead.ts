import { createCache } from '@lectern/resilience';

/** Loads an answer and runs the work that depends on it. */
export type WorkAhead<Answer> = <Result>(
  key: string,
  load: () => Promise<Answer>,
  work: (answer: Answer) => Promise<Result>,
) => Promise<Result>;

/**
 * Starts work with the last known answer while the current one is loaded. If the current answer is
 * the same, returns the result of the started work; otherwise runs the work again. Rejects if
 * `load` rejects. The result is therefore always based on an answer loaded after the request began.
 * `work` must have no side effects, because its result can be discarded.
 * @param capacity the maximum number of answers to remember
 */
export function workAhead<Answer>(capacity: number): WorkAhead<Answer> {
  const last = createCache<string, { readonly answer: Answer; readonly text: string }>({ maxEntries: capacity });
  return async (key, load, work) => {
    const loading = load();
    const known = last.get(key);
    const started = known && work(known.answer);
    // Its error matters only if its result is used.
    started?.catch(() => undefined);
    try {
      const answer = await loading;
      const text = JSON.stringify(answer);
      last.set(key, { answer, text });
      return await (started && text === known?.text ? started : work(answer));
    } catch (error) {
      last.delete(key);
      throw error;
    }
  };
}
