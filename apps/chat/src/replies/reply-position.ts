import { isId } from '@lectern/contracts';
import { invalidRequest } from '@lectern/service-kit';

/** A position in a streamed reply. The client has received everything before it. */
export interface ReplyPosition {
  readonly replyId: string;
  /** The number of run events received. */
  readonly steps: number;
  /** The length of the content received, in UTF-16 code units. */
  readonly length: number;
}

const FORM = /^(?<replyId>msg_[0-9a-z]+)\.(?<steps>\d{1,6})\.(?<length>\d{1,9})$/;

/**
 * Formats a position as an event id. It counts content instead of events, because a resumed reply
 * is split into other events.
 */
export function formatPosition({ replyId, steps, length }: ReplyPosition): string {
  return `${replyId}.${steps}.${length}`;
}

/** Throws `invalid_request` for an invalid event id. */
export function parsePosition(eventId: string): ReplyPosition {
  const { replyId = '', steps, length } = FORM.exec(eventId)?.groups ?? {};
  if (!isId('message', replyId)) {
    throw invalidRequest([{ path: 'Last-Event-ID', message: 'must be the id of an event of a chat stream' }]);
  }
  return { replyId, steps: Number(steps), length: Number(length) };
}
