import type { PlacedEvent } from '#replies/reply-log';
import { formatPosition, type ReplyPosition } from '#replies/reply-position';
import type { ReplyStep } from '#replies/reply-step';

/** What is known of a reply so far. */
export interface KnownReply {
  readonly content: string;
  readonly steps: readonly ReplyStep[];
}

/** The content and steps after a place, in their order, as few events. Ends at the end of what is known. */
export function* restOf(from: ReplyPosition, { content, steps }: KnownReply): Generator<PlacedEvent, ReplyPosition> {
  let at = from;
  const moved = (by: Partial<ReplyPosition>) => {
    at = { ...at, ...by };
    return formatPosition(at);
  };
  function* textUntil(end: number): Generator<PlacedEvent> {
    const delta = content.slice(at.length, end);
    if (delta !== '')
      yield { event: { type: 'content_delta', delta }, id: moved({ length: at.length + delta.length }) };
  }
  for (const step of steps.slice(at.steps)) {
    yield* textUntil(step.at);
    yield { event: { type: 'run', event: step.event }, id: moved({ steps: at.steps + 1 }) };
  }
  yield* textUntil(content.length);
  return at;
}
