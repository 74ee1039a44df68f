import { cleanHtml, escapeHtml, htmlPage, textOfHtml, textToHtml } from '#html/clean-html';
import {
  type Attachment,
  type FullMessage,
  isPicture,
  nameOfAttachment,
  type Person,
  shownPerson,
  subjectOf,
  timeOf,
} from '#microsoft-365/mail/message';

/** The maximum number of recipients in the text. */
const MAX_SHOWN = 50;

const people = (list: readonly Person[]): string => {
  const shown = list.flatMap((person) => shownPerson(person) ?? []);
  const more = shown.length > MAX_SHOWN ? ` and ${shown.length - MAX_SHOWN} more` : '';
  return `${shown.slice(0, MAX_SHOWN).join(', ')}${more}`;
};

const bodyHtml = (body: FullMessage['body']): string => {
  const { contentType = 'text', content = '' } = body ?? {};
  if (contentType.toLowerCase() === 'html') return `<div>${cleanHtml(content, { topHeading: 2 })}</div>`;
  return content.trim() === '' ? '' : textToHtml(content);
};

/** True for a message with a text of its own, and quotes. */
export function hasQuotes({ uniqueBody, body }: FullMessage): boolean {
  const own = textOfHtml(bodyHtml(uniqueBody));
  return own !== '' && textOfHtml(bodyHtml(body)).length > own.length;
}

/** What mail programs write before the subject of a forwarded message, in several languages. */
const FORWARD = /^\s*(?:fwd?|wg|tr|rv|enc|vb|vs|vl|doorst|i|pd|i̇lt|ilt|пересл|转发|轉寄|전달)\s*[:\uff1a]/iu;

/** True if a message forwards others, by its subject. */
export const isForward = ({ subject = '' }: FullMessage): boolean => FORWARD.test(subject);

/** Returns the text with or without quotes; all of it if it is only a quote. */
function textOf({ uniqueBody, body }: FullMessage, withQuotes: boolean): string {
  const own = bodyHtml(uniqueBody);
  return withQuotes || textOfHtml(own) === '' ? bodyHtml(body ?? uniqueBody) : own;
}

export interface MessageParts {
  readonly attachments: readonly Attachment[];
  /** False if the quotes of earlier messages are left out. */
  readonly withQuotes: boolean;
}

/** Returns a message as an HTML document: who, when, the text and the names of its attachments. */
export function messageHtml(message: FullMessage, { attachments, withQuotes }: MessageParts): string {
  const { from, sender, toRecipients, ccRecipients } = message;
  const author = from ?? sender;
  const time = timeOf(message);
  const fields = [
    ['From', author === undefined ? '' : people([author])],
    ['To', people(toRecipients)],
    ['Cc', people(ccRecipients)],
    ['Date', time === undefined ? '' : `${time.slice(0, 10)} ${time.slice(11, 16)} UTC`],
  ] as const;
  const head = fields.flatMap(([label, value]) => (value === '' ? [] : [`<li>${label}: ${escapeHtml(value)}</li>`]));
  const names = attachments
    .filter((attachment) => !isPicture(attachment))
    .map((attachment) => `<li>Attachment: ${escapeHtml(nameOfAttachment(attachment))}</li>`);
  return htmlPage(
    subjectOf(message),
    [
      head.length === 0 ? '' : `<ul>${head.join('')}</ul>`,
      textOf(message, withQuotes),
      names.length === 0 ? '' : `<ul>${names.join('')}</ul>`,
    ].filter((part) => part !== ''),
  );
}
