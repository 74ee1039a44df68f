/** Where the process is in its life. */
export interface Lifecycle {
  /** Aborted when the gateway begins to stop. */
  readonly stopping: AbortSignal;
  /** Aborted when what is still at work must end. */
  readonly ended: AbortSignal;
  stop(): void;
  end(): void;
}

export function createLifecycle(): Lifecycle {
  const stopping = new AbortController();
  const ended = new AbortController();
  return {
    stopping: stopping.signal,
    ended: ended.signal,
    stop: () => stopping.abort(),
    end: () => ended.abort(),
  };
}
