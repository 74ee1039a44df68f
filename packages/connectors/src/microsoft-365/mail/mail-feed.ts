import { createHash } from 'node:crypto';
import type { ConnectorCall } from '#connector';
import { failedEntry, wholeList } from '#http/entries';
import { orNull } from '#http/or-null';
import { type ChangeFeed, fullSyncNeeded } from '#microsoft-365/listing/change-feed';
import { lastOfEach } from '#microsoft-365/listing/delta-page';
import { followPages } from '#microsoft-365/listing/follow-pages';
import { isMessage, isRecent, type MailListing, messageEvents, partialEvents } from '#microsoft-365/mail/list-mail';
import type { ChangedMessage, MessageHome } from '#microsoft-365/mail/message';
import { attachmentItemId, messageItemId } from '#microsoft-365/mail/message-id';
import { isUnreadable } from '#readers/reader-lists';
import type { SourceEvent } from '#source';
import { SourceError } from '#source-error';

/** With more folders, a cursor is too large, and each sync lists all messages. */
const MAX_FOLDERS = 500;
/** Outlook has no query for the current position: finding it reads the whole list. */
const MAX_MESSAGES = 100_000;

/** Documents contain the path of their folder. */
function keyOf({ mailbox, folder }: MessageHome): string {
  const path = createHash('sha256').update(`${mailbox.address}/${folder.path}`).digest('hex');
  return `${mailbox.id}/${folder.id}#${path.slice(0, 8)}`;
}

/**
 * Yields the events for a message that left its folder. In another folder of the mailbox it keeps its
 * id. The attachments of a message that no longer exists are unknown.
 */
async function* leftFolder(
  listing: MailListing,
  call: ConnectorCall,
  { mailbox }: MessageHome,
  id: string,
): AsyncGenerator<SourceEvent, void, void> {
  const { api, folders } = listing;
  const place = { user: mailbox.id, message: id };
  const message = await orNull(api.message(call, place));
  if (message === null) {
    yield { type: 'gone', id: messageItemId(place) };
    throw fullSyncNeeded('A message was deleted permanently, perhaps with attachments.');
  }
  const folder = await folders.folder(call, mailbox, message.parentFolderId);
  if (folder !== undefined && isRecent(listing, message)) {
    yield* messageEvents(listing, call, { mailbox, folder }, [message]);
    return;
  }
  yield { type: 'gone', id: messageItemId(place) };
  const [attachments] = await api.attachments(call, [place]);
  if (attachments === undefined || 'error' in attachments) {
    throw fullSyncNeeded('The attachments of a deleted message are unreadable.');
  }
  for (const { id: attachment } of wholeList(attachments.value, 'the attachments of a message')) {
    yield { type: 'gone', id: attachmentItemId({ ...place, attachment }) };
  }
}

/** The changes of all folders. https://learn.microsoft.com/en-us/graph/delta-query-messages */
export function createMailFeed(listing: MailListing): ChangeFeed<MessageHome, ChangedMessage> {
  const { api, mailboxes, folders } = listing;
  return {
    words: { unit: 'folder', units: 'folders' },
    maxUnits: MAX_FOLDERS,
    units: async (call) => {
      const units = new Map<string, MessageHome>();
      let messages = 0;
      const { places: found, unreadableEntries } = await mailboxes.find(call);
      wholeList({ items: [], unreadable: unreadableEntries }, 'the list of mailboxes');
      for (const mailbox of found) {
        try {
          for (const folder of await folders.load(call, mailbox)) {
            units.set(keyOf({ mailbox, folder }), { mailbox, folder });
            messages += folder.totalItemCount;
          }
        } catch (error) {
          if (!isUnreadable(error)) throw error;
        }
        if (messages > MAX_MESSAGES) {
          throw new SourceError('invalid', `The change feed covers at most ${MAX_MESSAGES} messages.`);
        }
        // The feed rejects so many; the rest is not needed.
        if (units.size > MAX_FOLDERS) break;
      }
      return units;
    },
    latest: async (call, { mailbox, folder }) => {
      const place = { user: mailbox.id, folder: folder.id };
      const read = (link: string | undefined) => api.messages(call, place, link, true);
      let latest = '';
      for await (const page of followPages({ read, from: undefined, what: 'messages of a folder' })) {
        latest = page.delta ?? latest;
      }
      return latest;
    },
    read: (call, link) => api.changes(call, link),
    events: (home) =>
      async function* (call, { items: { items, unreadable } }) {
        for (const entry of unreadable) {
          const id = entry.id === undefined ? undefined : messageItemId({ user: home.mailbox.id, message: entry.id });
          yield failedEntry(entry, { id, what: 'the messages of a folder', hides: true });
        }
        const latest = lastOfEach(items);
        const recent = latest.filter(isMessage).filter((message) => isRecent(listing, message));
        yield* messageEvents(listing, call, home, recent);
        for (const message of latest) {
          if (isMessage(message)) continue;
          const events = message.is === 'removed' ? leftFolder : partialEvents;
          yield* events(listing, call, home, message.id);
        }
      },
  };
}
