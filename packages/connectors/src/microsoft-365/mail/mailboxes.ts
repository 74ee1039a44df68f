import type { ConnectorCall } from '#connector';
import type { UnreadableEntry } from '#http/entries';
import type { DirectoryApi, User } from '#microsoft-365/directory/directory-api';
import type { BatchResult } from '#microsoft-365/graph-http';
import { createKnownPlaces, type KnownPlaces } from '#microsoft-365/listing/known-places';
import { type FoundPlaces, type Place, sortedPlaces, type UnreadablePlace } from '#microsoft-365/listing/list-places';
import { SourceError } from '#source-error';

export interface MailScope {
  /** Users whose mailbox the configured readers can read. */
  readonly sharedMailboxes: readonly string[];
  /** Users whose mailbox only they can read. */
  readonly mailboxes: readonly string[];
  /** Groups whose members are such users. */
  readonly mailboxGroups: readonly string[];
  /** Addresses of people, and ids of groups. */
  readonly mailboxReaders: readonly string[];
  readonly mailFolders: readonly string[];
  /** ISO 8601. Earlier messages are left out. */
  readonly mailSince: string | undefined;
}

export interface Mailbox extends Place {
  /** The id of its user. */
  readonly id: string;
  readonly address: string;
  readonly isShared: boolean;
}

const mailboxOf = ({ id, mail, userPrincipalName }: User, kind: Pick<Mailbox, 'isShared' | 'isFromAll'>): Mailbox => ({
  ...{ id, key: `mailbox:${id}`, address: (mail || userPrincipalName || id).toLowerCase(), ...kind },
});

const isId = (text: string): boolean => !text.includes('@');

/** Finds the mailboxes of a connector. One that is shared and private is private. */
export function createMailboxes(api: DirectoryApi, scope: MailScope): KnownPlaces<Mailbox> {
  const search = async (call: ConnectorCall): Promise<FoundPlaces<Mailbox>> => {
    const found: Mailbox[] = [];
    const unreadable: UnreadablePlace[] = [];
    const unreadableEntries: UnreadableEntry[] = [];
    const add = (names: readonly string[], results: readonly BatchResult<User>[], isShared: boolean) => {
      for (const [at, result] of results.entries()) {
        if ('error' in result) unreadable.push({ name: names[at] ?? 'mailbox', error: result.error });
        else found.push(mailboxOf(result.value, { isShared, isFromAll: false }));
      }
    };
    const { sharedMailboxes, mailboxes, mailboxGroups } = scope;
    add(sharedMailboxes, await api.users(call, sharedMailboxes), true);

    const addresses = mailboxGroups.filter((text) => !isId(text));
    const groups = mailboxGroups.filter(isId).map((id) => ({ name: id, id }));
    for (const [at, result] of (await api.groupsByMail(call, addresses)).entries()) {
      const name = addresses[at] ?? '';
      if ('error' in result) unreadable.push({ name, error: result.error });
      else if (result.value.length > 0) groups.push(...result.value.map((id) => ({ name, id })));
      else unreadable.push({ name, error: new SourceError('gone', `No group has the address ${name}.`) });
    }
    const members = groups.map(({ id }) => ({ id, kind: 'members' }) as const);
    for (const [at, result] of (await api.people(call, members)).entries()) {
      if ('error' in result) {
        unreadable.push({ name: groups[at]?.name ?? 'group', error: result.error });
        continue;
      }
      unreadableEntries.push(...result.value.unreadable);
      found.push(...result.value.items.map((user) => mailboxOf(user, { isShared: false, isFromAll: true })));
    }
    add(mailboxes, await api.users(call, mailboxes), false);
    return { places: sortedPlaces(found), unreadable, unreadableEntries };
  };
  return createKnownPlaces(search, 'mailbox');
}
