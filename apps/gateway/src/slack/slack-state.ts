import { type Audiences, createAudiences } from '#slack/audience';
import { createUpdatePace, type UpdatePace } from '#slack/pace';

/** What the parts of the Slack apps share in a process. */
export interface SlackState {
  readonly audiences: Audiences;
  readonly pace: UpdatePace;
  /** Wakes the worker of this process because an event was stored. */
  wake(): void;
  /** Resolves at the next `wake`. */
  woken(): Promise<void>;
}

export function createSlackState(): SlackState {
  let waiting = Promise.withResolvers<void>();
  return {
    audiences: createAudiences(),
    pace: createUpdatePace(),
    wake: () => {
      waiting.resolve();
      waiting = Promise.withResolvers<void>();
    },
    woken: () => waiting.promise,
  };
}
