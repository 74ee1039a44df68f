/** Asks for an answer and does what depends on it. */
export type WorkAhead<Answer> = <Result>(
  key: string,
  ask: () => Promise<Answer>,
  work: (answer: Answer) => Promise<Result>,
) => Promise<Result>;

/**
 * Lets work begin by the answer that was given last, while it is asked for anew. What was begun counts only where the new answer is the same; otherwise it is
 * done again, and where the new answer is a refusal, that is the outcome. So the result is always one of an answer that was asked for after the
 * request came, only sooner. `work` must change nothing and be harmless where its result is thrown away.
 * @param capacity answers remembered at the most
 */
export function workAhead<Answer>(capacity: number): WorkAhead<Answer> {
  const last = new Map<string, { readonly answer: Answer; readonly text: string }>();

  function remember(key: string, answer: Answer, text: string): void {
    // A Map keeps the order of insertion: the first entry is the one not used for longest.
    last.delete(key);
    last.set(key, { answer, text });
    const [oldest] = last.keys();
    if (last.size > capacity && oldest !== undefined) last.delete(oldest);
  }

  return async (key, ask, work) => {
    const asked = ask();
    const known = last.get(key);
    const begun = known && work(known.answer);
    // Looked at only where it counts.
    begun?.catch(() => undefined);
    try {
      const answer = await asked;
      const text = JSON.stringify(answer);
      remember(key, answer, text);
      return await (begun && text === known?.text ? begun : work(answer));
    } catch (error) {
      last.delete(key);
      throw error;
    }
  };
}
