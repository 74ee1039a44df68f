/** The time that a piece of work may take, without the time in which it waits for somebody. */
export interface Deadline {
  /** Aborted after the timeout. */
  readonly signal: AbortSignal;
  /** Stops the clock until the returned function is called. Pauses can overlap. */
  pause(): () => void;
  /** The milliseconds for which the clock was stopped so far. */
  pausedMs(): number;
  /** Stops the clock permanently. */
  end(): void;
}

/** Starts a deadline of `timeoutMs` milliseconds. Call `end` when the work is done. */
export function startDeadline(timeoutMs: number): Deadline {
  const ends = new AbortController();
  let remainingMs = timeoutMs;
  let startedAt = performance.now();
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  let pauses = 0;
  let pausedAt = 0;
  let pausedMs = 0;
  const start = () => {
    startedAt = performance.now();
    timer = setTimeout(() => {
      isOver = true;
      ends.abort(new DOMException('The operation took too long.', 'TimeoutError'));
    }, remainingMs);
    timer.unref();
  };
  start();
  return {
    signal: ends.signal,
    pause() {
      if (pauses === 0 && !isOver) {
        clearTimeout(timer);
        pausedAt = performance.now();
        remainingMs = Math.max(0, remainingMs - (pausedAt - startedAt));
      }
      pauses += 1;
      let isPaused = true;
      return () => {
        if (!isPaused) return;
        isPaused = false;
        pauses -= 1;
        if (pauses > 0 || isOver) return;
        pausedMs += performance.now() - pausedAt;
        start();
      };
    },
    pausedMs: () => (pauses > 0 && !isOver ? pausedMs + performance.now() - pausedAt : pausedMs),
    end() {
      isOver = true;
      clearTimeout(timer);
    },
  };
}
