import { AppError } from '@lectern/service-kit';

/** The active runs of this process. */
export interface ActiveRuns {
  /** Registers a run. Its signal is aborted when the run is cancelled. */
  begin(runId: string): AbortSignal;
  end(runId: string): void;
  /** Cancels a run. Returns whether it is active here. */
  cancel(runId: string): boolean;
  ids(): readonly string[];
  /** Resolves when no run is active. */
  idle(): Promise<void>;
}

/** Creates an empty registry. */
export function createActiveRuns(): ActiveRuns {
  const runs = new Map<string, AbortController>();
  let none = Promise.withResolvers<void>();
  none.resolve();
  return {
    begin(runId) {
      if (runs.size === 0) none = Promise.withResolvers<void>();
      const controller = new AbortController();
      runs.set(runId, controller);
      return controller.signal;
    },
    end(runId) {
      if (runs.delete(runId) && runs.size === 0) none.resolve();
    },
    cancel(runId) {
      const controller = runs.get(runId);
      controller?.abort(new AppError('cancelled', 'The run was cancelled.'));
      return controller !== undefined;
    },
    ids: () => [...runs.keys()],
    idle: () => none.promise,
  };
}
