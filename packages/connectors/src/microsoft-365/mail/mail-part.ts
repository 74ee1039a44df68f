import type { CheckStep } from '#checks/run-checks';
import type { ConnectorCall } from '#connector';
import { orNull } from '#http/or-null';
import type { DirectoryApi } from '#microsoft-365/directory/directory-api';
import { directoryId } from '#microsoft-365/directory/directory-id';
import { principalOfGroup } from '#microsoft-365/directory/people';
import { readChanges, readCursor } from '#microsoft-365/listing/change-feed';
import { listMail, type MailListing } from '#microsoft-365/mail/list-mail';
import type { MailApi } from '#microsoft-365/mail/mail-api';
import { createMailFeed } from '#microsoft-365/mail/mail-feed';
import { createMailFolders } from '#microsoft-365/mail/mail-folders';
import { createMailboxes, type Mailbox, type MailScope } from '#microsoft-365/mail/mailboxes';
import { parseMailId } from '#microsoft-365/mail/message-id';
import { readMail, resolveMail } from '#microsoft-365/mail/read-mail';
import type { Part } from '#microsoft-365/part';
import type { Accounts } from '#readers/accounts';
import { isUnreadable } from '#readers/reader-lists';
import type { SourcePermissions, SourceRef } from '#source';
import { SourceError } from '#source-error';

export type { MailScope };

/** The number of mailboxes in which a test looks for folders. */
const TESTED_MAILBOXES = 5;

export interface MailPartContext {
  readonly api: MailApi & DirectoryApi;
  readonly people: Accounts;
  /** See `siteOf`. */
  readonly site: string;
  readonly maxItemBytes: number;
}

const isAddress = (text: string): boolean => text.includes('@');

function createChecks(listing: MailListing, directory: DirectoryApi, readers: readonly string[]): Part['checks'] {
  const { api, mailboxes, folders } = listing;
  return (call: ConnectorCall): readonly CheckStep[] => {
    let found: readonly Mailbox[] = [];
    return [
      [
        'mailboxes',
        async () => {
          const { places, unreadable } = await mailboxes.find(call);
          const [first] = unreadable;
          if (first !== undefined) throw new SourceError('invalid', `${first.name}: ${first.error.message}`);
          found = places;
          return `${places.length} mailboxes were found.`;
        },
      ],
      [
        'messages',
        async () => {
          for (const mailbox of found.slice(0, TESTED_MAILBOXES)) {
            // A member of a group can be without a mailbox.
            const loaded = folders.load(call, mailbox);
            const [folder] = (await (mailbox.isFromAll ? orNull(loaded) : loaded)) ?? [];
            if (folder === undefined) continue;
            await api.messages(call, { user: mailbox.id, folder: folder.id }, undefined);
            return 'Messages can be listed.';
          }
          return 'The first mailboxes have no folders to read.';
        },
      ],
      [
        'mailbox readers',
        async () => {
          for (const id of readers) {
            if (isAddress(id) || (await orNull(directory.group(call, id))) !== null) continue;
            throw new SourceError('invalid', `mailboxReaders: there is no group with the id ${id}.`);
          }
          return readers.length === 0
            ? 'Only its own user can read the messages of a mailbox.'
            : `${readers.length} people and groups can read the shared mailboxes.`;
        },
      ],
    ];
  };
}

/** The messages and attachments of mailboxes. */
export function createMailPart({ api, people, site, maxItemBytes }: MailPartContext, scope: MailScope): Part {
  const mailboxes = createMailboxes(api, scope);
  const folders = createMailFolders(api, scope.mailFolders);
  const listing: MailListing = { api, mailboxes, folders, since: scope.mailSince };
  const feed = createMailFeed(listing);
  const readers = scope.mailboxReaders.map((text) =>
    isAddress(text) ? `user:${text}` : principalOfGroup(site, text, 'members'),
  );

  const readersOf = async (call: ConnectorCall, user: string): Promise<readonly string[]> => {
    try {
      const mailbox = await mailboxes.place(call, user);
      if (mailbox === undefined) return [];
      const own = await people.principalsOf(call, [{ kind: 'user', id: directoryId(user) }]);
      return [...new Set([...own, ...(mailbox.isShared ? readers : [])])].sort();
    } catch (error) {
      if (!isUnreadable(error)) throw error;
      return [];
    }
  };

  async function* permissions(
    call: ConnectorCall,
    refs: readonly SourceRef[],
  ): AsyncGenerator<SourcePermissions, void, void> {
    const known = new Map<string, readonly string[]>();
    for (const { id } of refs) {
      const user = parseMailId(id)?.user;
      if (user !== undefined && !known.has(user)) known.set(user, await readersOf(call, user));
      yield { id, principals: known.get(user ?? '') ?? [] };
    }
  }

  return {
    name: 'mail',
    label: 'Outlook',
    owns: (id) => parseMailId(id) !== undefined,
    checks: createChecks(listing, api, scope.mailboxReaders),
    list: (call, from) => listMail(listing, call, from),
    cursor: (call) => readCursor(feed, call),
    changes: (call, from) => readChanges(feed, call, from),
    resolve: (call, id) => resolveMail(listing, call, id),
    fetch: (call, ref) => readMail({ ...listing, maxItemBytes }, call, ref),
    permissions,
  };
}
