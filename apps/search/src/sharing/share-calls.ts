/** Makes a call for a key, or joins one that is about to be made. */
export type SharedCall<Answer> = (key: string, call: () => Promise<Answer>) => Promise<Answer>;

interface Line<Answer> {
  readonly current: Promise<unknown>;
  next: Promise<Answer> | undefined;
}

/**
 * Lets requests that ask the same at the same time share an answer, and never an old one: a call that is already under way may not know of what changed
 * just before it was asked for, so whoever comes meanwhile waits for it to end and shares the next, which begins after all of them asked. Nothing
 * is kept once nobody asks. The calls are made for several requests, so `call` must not end with one of them.
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
