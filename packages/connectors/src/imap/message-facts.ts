import type { FetchMessageObject, MessageAddressObject, MessageEnvelopeObject } from 'imapflow';
import { type BodyParts, bodyParts } from '#imap/body-parts';
import { headerValues } from '#imap/header-fields';
import { messageKey } from '#imap/item-id';

const MAX_TEXT_CHARS = 500;

/** What a listing knows about a message. */
export interface MessageFacts extends BodyParts {
  readonly uid: number;
  readonly key: string;
  readonly subject: string;
  readonly author: string | undefined;
  /** ISO 8601. */
  readonly sentAt: string | undefined;
  /** Flags that people set: `flagged` and keywords. Sorted. */
  readonly labels: readonly string[];
}

/** A message with an invalid description. */
export interface UnreadableMessage {
  readonly uid: number;
  /** Undefined if it is unknown which message it is. */
  readonly key: string | undefined;
  readonly problem: string;
}

export type Described = { readonly facts: MessageFacts } | { readonly unreadable: UnreadableMessage };

/** The attributes that `keyOf` needs. They are small, whatever the message contains. */
export const IDENTITY = {
  uid: true,
  internalDate: true,
  size: true,
  headers: ['Message-ID', 'Date', 'From', 'Subject'],
};

/** The attributes that `describe` needs. */
export const DESCRIPTION = { ...IDENTITY, flags: true, envelope: true, bodyStructure: true };

/** Returns text on one line, without control characters. */
export const oneLine = (text: unknown): string =>
  (typeof text === 'string' ? text : '')
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, MAX_TEXT_CHARS)
    .toWellFormed();

const addressOf = (addresses: readonly MessageAddressObject[] | undefined): string =>
  oneLine(addresses?.[0]?.address).toLowerCase();

function authorOf({ from }: MessageEnvelopeObject): string | undefined {
  const name = oneLine(from?.[0]?.name);
  const author = name === '' ? addressOf(from) : name;
  return author === '' ? undefined : author;
}

const isDate = (value: unknown): value is Date => value instanceof Date && !Number.isNaN(value.getTime());

const isoOf = (value: unknown): string | undefined => (isDate(value) ? value.toISOString() : undefined);

/** System flags change as people read; only these two kinds describe a message. */
function labelsOf(flags: ReadonlySet<string> | undefined): readonly string[] {
  const names = [...(flags ?? [])].flatMap((flag) => {
    if (flag.toLowerCase() === '\\flagged') return ['flagged'];
    return flag.startsWith('\\') || /^\$?(NotJunk|Junk|Forwarded|MDNSent|NonJunk)$/i.test(flag) ? [] : [oneLine(flag)];
  });
  return [...new Set(names)]
    .filter((name) => name !== '')
    .sort()
    .slice(0, 50);
}

/** Returns the key of a message; undefined if nothing identifies it. */
export function keyOf({ headers, internalDate, size = 0 }: FetchMessageObject): string | undefined {
  const fields = headerValues(headers);
  return messageKey({
    ...{ messageId: fields.get('message-id'), date: fields.get('date') },
    ...{ from: fields.get('from'), subject: fields.get('subject') },
    receivedAt: isDate(internalDate) ? internalDate : undefined,
    sizeBytes: size,
  });
}

/** Reads what the server reported about a message. */
export function describe(message: FetchMessageObject): Described {
  const { uid, envelope, bodyStructure, internalDate, flags } = message;
  const key = keyOf(message);
  if (key === undefined) return { unreadable: { uid, key, problem: 'it has neither a Message-ID nor a date' } };
  if (envelope === undefined) return { unreadable: { uid, key, problem: 'it has no envelope' } };
  if (bodyStructure === undefined) return { unreadable: { uid, key, problem: 'its structure is missing' } };
  const sentAt = isoOf(envelope.date);
  return {
    facts: {
      ...{ uid, key, subject: oneLine(envelope.subject), labels: labelsOf(flags), ...bodyParts(bodyStructure) },
      author: authorOf(envelope),
      sentAt: sentAt ?? isoOf(internalDate),
    },
  };
}
