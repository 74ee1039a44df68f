/** Slack allows at least 50 updates per minute for an app in a workspace (tier 3). */
const INTERVAL_MS = 1_500;

/** Limits how often an app shows unfinished replies. Complete replies are never skipped. */
export interface UpdatePace {
  /** True if the app may show an unfinished reply now. */
  tryTake(appId: string): boolean;
  /** Shows none for this time. */
  pause(appId: string, waitMs: number): void;
}

export function createUpdatePace(now: () => number = Date.now): UpdatePace {
  const freeAt = new Map<string, number>();
  return {
    tryTake: (appId) => {
      const at = now();
      if (at < (freeAt.get(appId) ?? 0)) return false;
      freeAt.set(appId, at + INTERVAL_MS);
      return true;
    },
    pause: (appId, waitMs) => {
      freeAt.set(appId, now() + waitMs);
    },
  };
}
