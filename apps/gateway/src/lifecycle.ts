/** The lifecycle of the process: running, draining, stopping, ended. */
export interface Lifecycle {
  /** True as soon as the gateway shuts down: it still accepts requests, but readiness fails. */
  isDraining(): boolean;
  /** Aborted when the gateway starts to stop. */
  readonly stopping: AbortSignal;
  /** Aborted when all requests must end. */
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
