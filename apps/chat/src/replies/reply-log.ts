import { AppError, type Logger, toAppError } from '@lectern/service-kit';
import { type ReplyStep, toStoredSteps } from '#conversations/reply-step';
import type { PrismaClient } from '#gen/prisma/client';
import { formatPosition } from '#replies/reply-position';
import type { PartialReply } from '#replies/reply-rest';
import type { TurnEvent } from '#turn/turn-event';

/** An event with the position after it, from which a client can resume. */
export interface PlacedEvent {
  readonly id: string;
  readonly event: TurnEvent;
}

/** Records a reply while it is written, and persists it for clients that resume it. */
export interface ReplyLog {
  /** True once the reply has an id, so that a client can resume it. */
  readonly started: boolean;
  readonly ended: boolean;
  /** True once a tool call waited for an approval: the reply then continues without a reader. */
  readonly needsNoReader: boolean;
  /** Passes events on, each with the position after it. */
  follow(events: AsyncIterable<TurnEvent>): AsyncGenerator<PlacedEvent, void, undefined>;
  /** Returns the reply so far. */
  soFar(): PartialReply;
  /** Persists the reply so far and the reason why it ended. Never throws. */
  recordFailure(error: unknown): Promise<void>;
  /**
   * Persists the reply so far. Returns true if a client reads it, false if none does or the reply
   * is closed.
   */
  persist(): Promise<boolean>;
}

const CLIENT_DISCONNECTED = 'The reply was cancelled when its client disconnected. Send the message again.';

/**
 * Creates the log of one reply whose model was `shown` these documents. Acquiring the
 * turn's lease created its row; storing the turn deletes it.
 */
export function createReplyLog(db: PrismaClient, log: Logger, shown: ReadonlySet<string>): ReplyLog {
  const state = { replyId: undefined as string | undefined, ended: false, needsNoReader: false, length: 0 };
  const texts: string[] = [];
  const steps: ReplyStep[] = [];

  const record = (event: TurnEvent) => {
    if (event.type === 'message_start') state.replyId = event.id;
    else if (event.type === 'content_delta') {
      texts.push(event.delta);
      state.length += event.delta.length;
    } else if (event.type === 'run') {
      steps.push({ at: state.length, event: event.event });
      if (event.event.$case === 'pendingApproval') state.needsNoReader = true;
    }
  };
  return {
    get started() {
      return state.replyId !== undefined;
    },
    get needsNoReader() {
      return state.needsNoReader;
    },
    get ended() {
      return state.ended;
    },
    async *follow(events) {
      try {
        for await (const event of events) {
          record(event);
          const replyId = state.replyId ?? '';
          yield { id: formatPosition({ replyId, steps: steps.length, length: state.length }), event };
        }
      } finally {
        state.ended = true;
      }
    },
    soFar: () => ({ content: texts.join(''), steps: [...steps] }),
    async recordFailure(error) {
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
        .catch((err: unknown) => log.warn({ err, replyId: state.replyId }, 'could not store the failure of a reply'));
    },
    async persist() {
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

/**
 * Converts a failure for the next client. Only the previous client can have cancelled the reply.
 */
function describeFailure(error: unknown): AppError {
  const failure = toAppError(error);
  return failure.code === 'cancelled' ? new AppError('unavailable', CLIENT_DISCONNECTED) : failure;
}
