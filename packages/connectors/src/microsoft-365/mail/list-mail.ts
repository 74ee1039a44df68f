import type { ConnectorCall } from '#connector';
import { failedEntry } from '#http/entries';
import { orNull } from '#http/or-null';
import { lastOfEach } from '#microsoft-365/listing/delta-page';
import { followPages } from '#microsoft-365/listing/follow-pages';
import type { KnownPlaces } from '#microsoft-365/listing/known-places';
import { listPlaces, type PlaceLister } from '#microsoft-365/listing/list-places';
import type { MailApi } from '#microsoft-365/mail/mail-api';
import type { MailFolder, MailFolders } from '#microsoft-365/mail/mail-folders';
import type { Mailbox } from '#microsoft-365/mail/mailboxes';
import {
  attachmentRef,
  type ChangedMessage,
  type ConversationMessage,
  isReadable,
  type MailMessage,
  type MessageHome,
  messageRef,
  timeOf,
} from '#microsoft-365/mail/message';
import { attachmentItemId, messageItemId } from '#microsoft-365/mail/message-id';
import { type SourceEvent, UNREADABLE_ENTRY } from '#source';
import { SourceError } from '#source-error';

export interface MailListing {
  readonly api: MailApi;
  readonly mailboxes: KnownPlaces<Mailbox>;
  readonly folders: MailFolders;
  /** ISO 8601. */
  readonly since: string | undefined;
}

/** If the application may not read any of so many mailboxes or folders, it lacks a permission. */
const MIN_DENIED = 3;

const words = { places: 'the list of mailboxes', units: 'the list of folders' };

/** True if a message is recent enough. One without a time is. */
export function isRecent({ since }: Pick<MailListing, 'since'>, message: ConversationMessage): boolean {
  const time = Date.parse(timeOf(message) ?? '');
  return since === undefined || Number.isNaN(time) || time >= Date.parse(since);
}

/** Yields the attachments of messages. Those of an unreadable message fail together. */
async function* attachmentEvents(
  { api }: MailListing,
  call: ConnectorCall,
  home: MessageHome,
  messages: readonly MailMessage[],
): AsyncGenerator<SourceEvent, void, void> {
  const user = home.mailbox.id;
  const places = messages.map(({ id }) => ({ user, message: id }));
  for (const [at, result] of (await api.attachments(call, places)).entries()) {
    const message = messages[at];
    if (message === undefined) continue;
    const what = 'the attachments of a message';
    if ('error' in result) {
      const { kind, message: reason } = result.error;
      // A message that was deleted meanwhile.
      if (kind === 'gone') continue;
      const id = `${messageItemId({ user, message: message.id })}/attachments`;
      yield {
        type: 'failed',
        id,
        path: `${messageRef(home, message).path}/attachments`,
        error: { code: kind, message: reason },
      };
      continue;
    }
    for (const entry of result.value.unreadable) {
      const { id } = entry;
      yield failedEntry(entry, {
        ...{ id: id === undefined ? undefined : attachmentItemId({ user, message: message.id, attachment: id }), what },
      });
    }
    for (const attachment of result.value.items) {
      if (isReadable(attachment)) yield { type: 'item', ref: attachmentRef(home, message, attachment) };
    }
  }
}

/** Yields messages of a folder and their attachments. */
export async function* messageEvents(
  listing: MailListing,
  call: ConnectorCall,
  home: MessageHome,
  messages: readonly MailMessage[],
): AsyncGenerator<SourceEvent, void, void> {
  for (const message of messages) yield { type: 'item', ref: messageRef(home, message) };
  // `hasAttachments` ignores attachments that are marked as inline, for example documents from Apple Mail.
  if (messages.length > 0) yield* attachmentEvents(listing, call, home, messages);
}

export const isMessage = (message: ChangedMessage): message is MailMessage => !('is' in message);

/** Yields the events for a message of which a list contains only a part. One that is unreadable fails alone. */
export async function* partialEvents(
  listing: MailListing,
  call: ConnectorCall,
  { mailbox }: MessageHome,
  id: string,
): AsyncGenerator<SourceEvent, void, void> {
  try {
    const message = await orNull(listing.api.message(call, { user: mailbox.id, message: id }));
    if (message === null || !isRecent(listing, message)) return;
    const folder = await listing.folders.folder(call, mailbox, message.parentFolderId);
    // It left the folder meanwhile if its folder is not read. Then a later request reports that.
    if (folder !== undefined) yield* messageEvents(listing, call, { mailbox, folder }, [message]);
  } catch (error) {
    if (!(error instanceof SourceError) || error.kind !== 'invalid') throw error;
    const item = messageItemId({ user: mailbox.id, message: id });
    yield { type: 'failed', id: item, path: item, error: { code: UNREADABLE_ENTRY, message: error.message } };
  }
}

/**
 * Lists the folders of all mailboxes with delta queries. A filter by date would limit them to 5,000
 * messages, so older messages are left out here. A message that moves between folders can be missed.
 * https://learn.microsoft.com/en-us/graph/delta-query-messages
 */
export function listMail(
  listing: MailListing,
  call: ConnectorCall,
  from: string | undefined,
): AsyncGenerator<SourceEvent, void, void> {
  const { api, mailboxes, folders } = listing;
  const lister: PlaceLister<Mailbox, MailFolder> = {
    words,
    minDenied: MIN_DENIED,
    find: mailboxes.find,
    units: async (own, mailbox) => ({ items: await folders.load(own, mailbox), unreadable: [] }),
    async *list(own, mailbox, folder, link) {
      const home = { mailbox, folder };
      const read = (at: string | undefined) => api.messages(own, { user: mailbox.id, folder: folder.id }, at);
      for await (const page of followPages({ read, from: link, what: 'messages of a folder' })) {
        for (const entry of page.items.unreadable) {
          const { id } = entry;
          const item = id === undefined ? undefined : messageItemId({ user: mailbox.id, message: id });
          // It is unknown which attachments it has.
          yield failedEntry(entry, { id: item, what: 'the messages of a folder', hides: true });
        }
        const latest = lastOfEach(page.items.items);
        const recent = latest.filter(isMessage).filter((message) => isRecent(listing, message));
        yield* messageEvents(listing, own, home, recent);
        for (const message of latest) {
          if (!isMessage(message) && message.is === 'partial') yield* partialEvents(listing, own, home, message.id);
        }
        yield { type: 'position', link: page.next };
      }
    },
  };
  return listPlaces(lister, call, from);
}
