import { setTimeout as delay } from 'node:timers/promises';
import { AppError, type Caller, notFound } from '@lectern/service-kit';
import type { ReplyStep } from '#conversations/reply-step';
import type { PrismaClient } from '#gen/prisma/client';
import { type FinishedReply, findReply, leaveReply } from '#replies/find-reply';
import type { PlacedEvent } from '#replies/reply-log';
import { formatPosition, type ReplyPosition } from '#replies/reply-position';
import { restOf } from '#replies/reply-rest';
import type { TurnServices } from '#turn/turn-services';

/** Milliseconds between reads of a reply that is being written. */
const POLL_MS = 100;

const INTERRUPTED = 'The service was interrupted while it wrote the reply. Send the message again.';

/** The caller that reads a reply. */
interface Reading {
  readonly db: PrismaClient;
  readonly caller: Caller;
  readonly services: Pick<TurnServices, 'filterReadable'>;
}

/**
 * Yields a reply's events after a position, up to the terminal one. An unfinished reply continues
 * while it is read here. Throws `not_found` for a reply that the caller cannot see, that has
 * expired, or that is based on documents the caller can no longer access. Also throws the error
 * that the reply failed with.
 */
export async function* resumeReply(
  { db, caller, services }: Reading,
  from: ReplyPosition,
  signal: AbortSignal,
): AsyncGenerator<PlacedEvent, void, undefined> {
  const { replyId } = from;
  let at = from;
  let isReader = false;
  const checked = new Set<string>();
  try {
    for (;;) {
      const reply = await findReply(db, caller, replyId);
      if (reply === undefined) throw notFound('message', replyId);
      if (reply.documents.some((id) => !checked.has(id)) || reply.kind === 'finished') {
        const readable = await services.filterReadable(reply.documents);
        if (reply.documents.some((id) => !readable.has(id))) throw notFound('message', replyId);
        for (const id of reply.documents) checked.add(id);
      }
      if (reply.kind === 'finished') return yield* finish(at, reply);
      at = yield* restOf(at, reply);
      if (reply.kind === 'failed') throw new AppError(reply.code, reply.message);
      if (reply.kind === 'lost') throw new AppError('unavailable', INTERRUPTED);
      isReader = true;
      await delay(POLL_MS, undefined, { signal });
    }
  } finally {
    if (isReader) await leaveReply(db, replyId);
  }
}

/**
 * Yields the rest of a stored reply. The end of a run comes between `sources` and `message_end`.
 */
function* finish(from: ReplyPosition, reply: FinishedReply): Generator<PlacedEvent> {
  const { sources, usage, confidence, model, steps } = reply;
  const isEnd = ({ event }: ReplyStep) => event.$case === 'completed';
  const at = yield* restOf(from, { content: reply.content, steps: steps.filter((step) => !isEnd(step)) });
  const id = formatPosition(at);
  yield { id, event: { type: 'sources', sources } };
  for (const { event } of steps.filter(isEnd)) yield { id, event: { type: 'run', event } };
  yield { id, event: { type: 'message_end', usage, confidence, model } };
}
