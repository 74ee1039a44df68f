import type { TextPart } from '#gmail/message-parts';
import {
  labelNames,
  type Person,
  peopleOf,
  type ReadMessage,
  type SelectedThread,
  timeOf,
  titleOf,
} from '#gmail/thread-refs';
import { cleanHtml, escapeHtml } from '#html/clean-html';
import {
  createEarlierText,
  type EarlierText,
  plainBlocks,
  quotationMarks,
  readMarkedHtml,
  writeHtml,
} from '#html/quotations';

/** The longest part of a message that is read, and the total of a thread, in UTF-16 units. */
const MAX_PART_CHARS = 500_000;
const MAX_THREAD_CHARS = 2_000_000;
/** People and labels that the metadata lists. */
const MAX_LISTED = 100;

const paragraphs = (text: string): string =>
  `<p>${escapeHtml(text.trim())
    .replace(/(?:\r?\n[^\S\n]*){2,}/g, '</p><p>')
    .replace(/\r?\n/g, '<br>')}</p>`;

/** The sender of each message is a heading of level 2. */
const CLEAN = { topHeading: 3, marksAround: quotationMarks };

/** Returns a part as HTML without the quotations that repeat earlier messages. Adds its whole text to `texts`. */
function partHtml({ kind, text }: TextPart, earlier: EarlierText, texts: string[]): string {
  const cut = text.slice(0, MAX_PART_CHARS);
  const marked = kind === 'html' ? readMarkedHtml(cleanHtml(cut, CLEAN)) : undefined;
  const blocks = marked?.blocks ?? plainBlocks(cut);
  texts.push(blocks.map((block) => block.text).join('\n'));
  const kept = earlier.kept(blocks);
  if (marked !== undefined) {
    const html = writeHtml(marked, kept);
    return html === '' ? '' : `<div>${html}</div>`;
  }
  const plain = blocks.flatMap((block, at) => (kept[at] === true ? [block.text] : [])).join('\n');
  return plain.trim() === '' ? '' : `<div>${paragraphs(plain)}</div>`;
}

const shown = (people: readonly Person[]): string =>
  people
    .slice(0, MAX_LISTED)
    .map(({ name, address }) => (name === address || address === '' ? name : `${name} <${address}>`))
    .join(', ');

/** `2026-01-31 09:30 UTC` */
const minute = (iso: string | undefined): string =>
  iso === undefined ? '' : `, ${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;

function messageHtml(read: ReadMessage, earlier: EarlierText): string {
  const from = shown(peopleOf(read, 'from')) || 'Unknown sender';
  const texts: string[] = [];
  const body = read.parts.texts.map((part) => partHtml(part, earlier, texts)).filter((html) => html !== '');
  for (const text of texts) earlier.add(text);
  const fields = [
    ['To', shown(peopleOf(read, 'to'))],
    ['Cc', shown(peopleOf(read, 'cc'))],
    ['Attachments', read.parts.attachments.map(({ fileName }) => fileName).join(', ')],
  ].flatMap(([name, value]) => (value ? [`${name}: ${escapeHtml(value)}`] : []));
  return [
    `<h2>${escapeHtml(from)}${minute(timeOf(read.message))}</h2>`,
    ...(fields.length === 0 ? [] : [`<p>${fields.join('<br>')}</p>`]),
    ...body,
  ].join('\n');
}

const charsOf = ({ parts }: ReadMessage): number =>
  parts.texts.reduce((chars, { text }) => chars + Math.min(text.length, MAX_PART_CHARS), 0);

/** Returns a thread as an HTML document with its messages in order. */
export function threadHtml({ messages }: SelectedThread): string {
  const heading = escapeHtml(titleOf(messages));
  const earlier = createEarlierText();
  const parts: string[] = [];
  let chars = 0;
  for (const [index, message] of messages.entries()) {
    chars += charsOf(message);
    if (chars > MAX_THREAD_CHARS && index > 0) {
      parts.push(`<p>${messages.length - index} more messages are not included.</p>`);
      break;
    }
    parts.push(messageHtml(message, earlier));
  }
  return `<!doctype html>\n<html><head><meta charset="utf-8"><title>${heading}</title></head><body><main>\n<h1>${heading}</h1>\n${parts.join('\n')}\n</main></body></html>\n`;
}

const addresses = (messages: readonly ReadMessage[], header: 'from' | 'to' | 'cc'): readonly string[] =>
  [
    ...new Set(messages.flatMap((message) => peopleOf(message, header).map(({ name, address }) => address || name))),
  ].slice(0, MAX_LISTED);

/** The headers of a thread as metadata. */
export function threadMetadata(thread: SelectedThread): Readonly<Record<string, unknown>> {
  const { mailbox, messages } = thread;
  const [first] = messages;
  const fields = {
    mailbox: mailbox.email,
    subject: titleOf(messages),
    from: addresses(messages, 'from'),
    to: addresses(messages, 'to'),
    cc: addresses(messages, 'cc'),
    date: first && timeOf(first.message),
    labels: labelNames(thread).slice(0, MAX_LISTED),
    messages: messages.length,
  };
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0)),
  );
}
