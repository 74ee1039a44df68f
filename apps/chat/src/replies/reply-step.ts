import type { RunEvent } from '@lectern/contracts';
import { z } from 'zod';
import type { Prisma } from '#gen/prisma/client';

/** What an agent does on the way to its answer, as its run tells it. */
export type RunStepEvent = NonNullable<RunEvent['event']>;

/** An event of a run; `at` is the length of the content before it, in UTF-16 units. */
export interface ReplyStep {
  readonly at: number;
  readonly event: RunStepEvent;
}

/** Steps as they are stored: by ourselves, so their form is known. */
export const storedSteps = z.array(
  z.object({
    at: z.number(),
    event: z.custom<RunStepEvent>((event) => typeof event === 'object' && event !== null && '$case' in event),
  }),
);

/** Steps as JSON. Of a run's end what the reply itself holds is left out: its content, its citations, what it was shown. */
export function toStoredSteps(steps: readonly ReplyStep[]): Prisma.InputJsonArray {
  const slim = steps.map(({ at, event }) => {
    if (event.$case !== 'completed') return { at, event };
    return { at, event: { ...event, value: { ...event.value, content: '', citations: [], sources: [] } } };
  });
  return z.array(z.json()).parse(JSON.parse(JSON.stringify(slim)));
}
