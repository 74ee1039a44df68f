import { AppError, type Logger, toAppError } from '@lectern/service-kit';
import type { PrismaClient } from '#gen/prisma/client';
import { formatPosition } from '#replies/reply-position';
import type { KnownReply } from '#replies/reply-rest';
import { type ReplyStep, toStoredSteps } from '#replies/reply-step';
import type { TurnEvent } from '#turn/turn-event';

/** An event with the place after it. */
export interface PlacedEvent {
  readonly id: string;
  readonly event: TurnEvent;
}

/** What has been said of a reply so far, and the way to write it down for those who resume it. */
export interface ReplyLog {
  /** True once a client can name a place in the reply. */
  readonly begun: boolean;
  readonly ended: boolean;
  /** Passes events on with the places after them. */
  follow(events: AsyncIterable<TurnEvent>): AsyncGenerator<PlacedEvent, void, undefined>;
  /** What has been told so far. */
  said(): KnownReply;
  /** Writes down what has been said and why there will be no more. Never throws. */
  fail(error: unknown): Promise<void>;
  /** Writes down what has been said; true where somebody reads it there. False, too, where the reply is none of the open ones any more. */
  writeDown(): Promise<boolean>;
}

const LEFT_MESSAGE = 'The reply was broken off when its client left. Send the message again.';

/**
 * Creates the log of one reply whose model was `shown` these documents. `holdConversation` created
 * its row; storing the turn deletes it.
 */
export function createReplyLog(db: PrismaClient, log: Logger, shown: ReadonlySet<string>): ReplyLog {
  const state = { replyId: undefined as string | undefined, ended: false, length: 0 };
  const texts: string[] = [];
  const steps: ReplyStep[] = [];

  const note = (event: TurnEvent) => {
    if (event.type === 'message_start') state.replyId = event.id;
    else if (event.type === 'content_delta') {
      texts.push(event.delta);
      state.length += event.delta.length;
    } else if (event.type === 'run') steps.push({ at: state.length, event: event.event });
  };
  return {
    get begun() {
      return state.replyId !== undefined;
    },
    get ended() {
      return state.ended;
    },
    async *follow(events) {
      try {
        for await (const event of events) {
          note(event);
          const replyId = state.replyId ?? '';
          yield { id: formatPosition({ replyId, steps: steps.length, length: state.length }), event };
        }
      } finally {
        state.ended = true;
      }
    },
    said: () => ({ content: texts.join(''), steps: [...steps] }),
    async fail(error) {
      if (state.replyId === undefined) return;
      const { code, message } = describeFailure(error);
      const data = {
        content: texts.join(''),
        steps: toStoredSteps(steps),
        documents: [...shown],
        failure: { code, message },
      };
      await db.openReply
        .updateMany({ where: { id: state.replyId }, data })
        .catch((err: unknown) => log.warn({ err, replyId: state.replyId }, 'the end of a reply was not written down'));
    },
    async writeDown() {
      if (state.replyId === undefined) return false;
      const [row] = await db.$queryRaw<{ wanted: boolean }[]>`
        UPDATE open_replies SET content = ${texts.join('')}, steps = ${JSON.stringify(toStoredSteps(steps))}::jsonb,
          documents = ${[...shown]}::text[]
        WHERE id = ${state.replyId} AND failure IS NULL
        RETURNING coalesce(reader_until > now(), false) AS wanted`;
      return row?.wanted ?? false;
    },
  };
}

/** As the next client is told of it. The only one who can have cancelled a reply is the client before it. */
function describeFailure(error: unknown): AppError {
  const failure = toAppError(error);
  return failure.code === 'cancelled' ? new AppError('unavailable', LEFT_MESSAGE) : failure;
}
