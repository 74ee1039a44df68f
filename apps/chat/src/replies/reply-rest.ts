import type { ReplyStep } from '#conversations/reply-step';
import type { PlacedEvent } from '#replies/reply-log';
import { formatPosition, type ReplyPosition } from '#replies/reply-position';

/** The content and steps of a reply so far. */
export interface PartialReply {
  readonly content: string;
  readonly steps: readonly ReplyStep[];
}

/**
 * Yields the content and steps after a position in as few events as possible. Returns the new
 * position.
 */
export function* restOf(from: ReplyPosition, { content, steps }: PartialReply): Generator<PlacedEvent, ReplyPosition> {
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
