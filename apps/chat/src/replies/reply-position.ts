import { invalidRequest, isId } from '@lectern/service-kit';

/** A place in a streamed reply: what comes after it has not been received. */
export interface ReplyPosition {
  readonly replyId: string;
  /** Steps of an agent that were told. */
  readonly steps: number;
  /** UTF-16 units of content that were told. */
  readonly length: number;
}

const FORM = /^(?<replyId>msg_[0-9a-z]+)\.(?<steps>\d{1,6})\.(?<length>\d{1,9})$/;

/** A position as the id of the event before it. It counts what was said, not events, so that a reply can be told on in other pieces. */
export function formatPosition({ replyId, steps, length }: ReplyPosition): string {
  return `${replyId}.${steps}.${length}`;
}

/** Throws `invalid_request` for what is no event's id. */
export function parsePosition(eventId: string): ReplyPosition {
  const { replyId = '', steps, length } = FORM.exec(eventId)?.groups ?? {};
  if (!isId('message', replyId)) {
    throw invalidRequest([{ path: 'Last-Event-ID', message: 'must be the id of an event of a chat stream' }]);
  }
  return { replyId, steps: Number(steps), length: Number(length) };
}
