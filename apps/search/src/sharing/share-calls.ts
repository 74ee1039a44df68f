/** Makes a call for a key, or joins one that is about to start. */
export type SharedCall<Answer> = (key: string, call: () => Promise<Answer>) => Promise<Answer>;

interface Line<Answer> {
  readonly current: Promise<unknown>;
  next: Promise<Answer> | undefined;
}

/**
 * Lets concurrent requests for the same key share a call without ever sharing a stale result. A
 * running call may not see a change made just before a later request; such requests wait for it and
 * share the next call, which starts after all of them. Keeps no result when no request is waiting.
 * A call serves several requests, so `call` must not use the signal of one of them.
 */
export function shareCalls<Answer>(): SharedCall<Answer> {
  const lines = new Map<string, Line<Answer>>();

  function start(key: string, call: () => Promise<Answer>): Promise<Answer> {
    const current = call();
    const line: Line<Answer> = { current, next: undefined };
    lines.set(key, line);
    const leave = (): void => {
      if (line.next === undefined) lines.delete(key);
    };
    current.then(leave, leave);
    return current;
  }

  return (key, call) => {
    const line = lines.get(key);
    if (line === undefined) return start(key, call);
    line.next ??= line.current.then(
      () => start(key, call),
      () => start(key, call),
    );
    return line.next;
  };
}
