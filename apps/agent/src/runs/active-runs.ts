import { AppError } from '@lectern/service-kit';

/** The runs that this process is at work on. */
export interface ActiveRuns {
  /** Takes a run up; its signal is aborted when somebody cancels it. */
  begin(runId: string): AbortSignal;
  end(runId: string): void;
  /** True where the run is one of these. */
  cancel(runId: string): boolean;
  ids(): readonly string[];
  /** Resolves once there is none. */
  idle(): Promise<void>;
}

/** None so far. */
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
