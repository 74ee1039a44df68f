import type { RunEvent } from '@lectern/contracts';
import { z } from 'zod';
import type { Prisma } from '#gen/prisma/client';

/** An event of an agent's run. */
export type RunStepEvent = NonNullable<RunEvent['event']>;

/** An event of a run. `at` is the length of the content before it, in UTF-16 code units. */
export interface ReplyStep {
  readonly at: number;
  readonly event: RunStepEvent;
}

/** Restores the times of an event, which are texts in JSON. */
function withTimes(event: RunStepEvent): RunStepEvent {
  if (event.$case !== 'pendingApproval' || event.value.expiresAt === undefined) return event;
  return { ...event, value: { ...event.value, expiresAt: new Date(event.value.expiresAt) } };
}

/** Stored steps. Written only by this service, so their shape is not validated further. */
export const storedSteps = z.array(
  z.object({
    at: z.number(),
    event: z
      .custom<RunStepEvent>((event) => typeof event === 'object' && event !== null && '$case' in event)
      .transform(withTimes),
  }),
);

/** Converts steps to JSON, without the fields of `completed` that the reply itself stores. */
export function toStoredSteps(steps: readonly ReplyStep[]): Prisma.InputJsonArray {
  const slim = steps.map(({ at, event }) => {
    if (event.$case !== 'completed') return { at, event };
    return { at, event: { ...event, value: { ...event.value, content: '', citations: [], sources: [] } } };
  });
  return z.array(z.json()).parse(JSON.parse(JSON.stringify(slim)));
}
