/** A thread, or an attachment by its number in a message, from 1. */
export interface GmailItem {
  readonly mailbox: string;
  readonly thread: string;
  readonly attachment?: { readonly message: string; readonly number: number } | undefined;
}

/** Attachments of a message that become items. */
export const MAX_ATTACHMENTS = 20;

/** The ids of threads and messages are hexadecimal numbers. */
const PATTERN = /^([^/\s]{1,320})\/([\da-f]{1,32})(?:\/([\da-f]{1,32})\/([1-9]\d?))?$/;

/** `<mailbox>/<thread>` or `<mailbox>/<thread>/<message>/<number>`. */
export const formatItemId = ({ mailbox, thread, attachment }: GmailItem): string =>
  attachment === undefined ? `${mailbox}/${thread}` : `${mailbox}/${thread}/${attachment.message}/${attachment.number}`;

/** Returns undefined for an invalid id. */
export function parseItemId(id: string): GmailItem | undefined {
  const [, mailbox, thread, message, digits] = PATTERN.exec(id) ?? [];
  if (mailbox === undefined || thread === undefined) return undefined;
  if (message === undefined) return { mailbox, thread };
  const number = Number(digits);
  return number > MAX_ATTACHMENTS ? undefined : { mailbox, thread, attachment: { message, number } };
}
