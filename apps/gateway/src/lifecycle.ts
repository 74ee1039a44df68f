/** Where the process is in its life: at work, draining, stopping, ended. */
export interface Lifecycle {
  /** True from when the gateway was told to end: it takes requests for a while, and tells balancers and clients to go elsewhere. */
  isDraining(): boolean;
  /** Aborted when the gateway begins to stop. */
  readonly stopping: AbortSignal;
  /** Aborted when what is still at work must end. */
  readonly ended: AbortSignal;
  drain(): void;
  stop(): void;
  end(): void;
}

export function createLifecycle(): Lifecycle {
  const stopping = new AbortController();
  const ended = new AbortController();
  let draining = false;
  return {
    isDraining: () => draining,
    stopping: stopping.signal,
    ended: ended.signal,
    drain: () => {
      draining = true;
    },
    stop: () => {
      draining = true;
      stopping.abort();
    },
    end: () => ended.abort(),
  };
}
