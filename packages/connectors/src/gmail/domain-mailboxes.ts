import type { ConnectorCall } from '#connector';
import { createGmailApi } from '#gmail/gmail-api';
import type { Mailboxes } from '#gmail/mailboxes';
import { createGmailErrorReader, DOMAIN_ADVICE } from '#gmail/read-error';
import { delegatedErrors } from '#google/delegated-errors';
import { createDelegatedTokens } from '#google/delegated-tokens';
import { createDirectoryApi, GROUP_SCOPES, USER_SCOPE } from '#google/directory-api';
import { readDomainGroups } from '#google/domain-groups';
import type { DomainAccess } from '#google/google-settings';
import { createPeople, type PeopleFilter, type Person } from '#google/people';
import type { ConnectorHost } from '#host';
import { failedEntry } from '#http/entries';
import type { SourceEvent } from '#source';
import { SourceError } from '#source-error';

export const GMAIL_SCOPE = 'https://www.googleapis.com/auth/gmail.readonly';

export interface DomainMailboxesSettings extends PeopleFilter, DomainAccess {
  /** The primary addresses of the shared mailboxes. */
  readonly shared: readonly string[];
  /** True if Google groups are readers, so that their members are needed. */
  readonly readsGroups: boolean;
}

const failure = (id: string, path: string, code: string, message: string): SourceEvent => ({
  ...{ type: 'failed', id, path, error: { code, message } },
});

const suspended = ({ id, email }: Person): SourceEvent =>
  failure(id, email, 'forbidden', `The user ${email} is suspended or archived. The documents of the mailbox stay.`);

/** The mailboxes of the users of a domain, which a service account reads as these users. */
export function createDomainMailboxes(
  { account, adminEmail, shared, readsGroups, ...filter }: DomainMailboxesSettings,
  host: Pick<ConnectorHost, 'addresses' | 'egress'>,
): Mailboxes {
  const groupScopes = readsGroups || (filter.groups?.length ?? 0) > 0 ? GROUP_SCOPES : [];
  const adminScopes = [GMAIL_SCOPE, USER_SCOPE, ...groupScopes];
  const tokens = createDelegatedTokens({ account, adminEmail, adminScopes, userScopes: [GMAIL_SCOPE] }, host);
  const errors = delegatedErrors('Gmail', createGmailErrorReader(DOMAIN_ADVICE));
  const directory = createDirectoryApi(host, tokens.authorizeAs(adminEmail), createGmailErrorReader(DOMAIN_ADVICE));
  const people = createPeople(directory, filter);
  /** Shared mailboxes that do not exist under this primary address have no effect. */
  const unknownShared = (known: Iterable<Person>): readonly string[] => {
    const emails = new Set([...known].map(({ email }) => email));
    return shared.filter((address) => !emails.has(address));
  };

  return {
    all: async (call) => {
      const { selected, inactive, missing, byId, unreadable } = await people(call, { fresh: true });
      const isInactive = (address: string) =>
        [...inactive.values()].some(({ email, aliases }) => email === address || aliases.includes(address));
      return {
        selected: selected.map(({ id, email }) => ({ id, email })),
        failures: [
          ...unreadable.map((entry) =>
            failedEntry(entry, { id: undefined, what: 'the users of the domain', hides: true }),
          ),
          ...missing
            .filter((address) => !isInactive(address))
            .map((address) =>
              failure(address, address, 'invalid', `${address} in users is not a user of the domain. Check users.`),
            ),
          ...unknownShared([...byId.values(), ...inactive.values()]).map((address) =>
            failure(
              `shared:${address}`,
              address,
              'invalid',
              `${address} in sharedMailboxes is not the primary address of a user of the domain. Check sharedMailboxes.`,
            ),
          ),
          ...[...inactive.values()].map(suspended),
        ],
      };
    },
    find: async (call: ConnectorCall, id: string) => {
      const { byId, inactive, unreadable } = await people(call);
      const person = byId.get(id);
      if (person !== undefined) return person.isSelected ? { mailbox: person, inactive: false } : undefined;
      const away = inactive.get(id);
      if (away !== undefined) return { mailbox: away, inactive: true };
      if (unreadable.some((entry) => (entry.id ?? id) === id)) {
        throw new SourceError('invalid', 'Google returned a user of the domain in an unexpected format.');
      }
      return undefined;
    },
    open: ({ email }) => createGmailApi(host, { authorize: tokens.authorizeAs(email), ...errors }),
    async *groups(call) {
      if (readsGroups) yield* readDomainGroups('gmail', directory, people, call);
    },
    test: async (call) => {
      const { selected, missing, byId, inactive } = await people(call, { fresh: true });
      const unknown = unknownShared([...byId.values(), ...inactive.values()]);
      if (missing.length > 0) {
        const names = missing.slice(0, 10).join(', ');
        throw new SourceError('invalid', `These users are not active users of the domain: ${names}. Check users.`);
      }
      if (unknown.length > 0) {
        const names = unknown.slice(0, 10).join(', ');
        throw new SourceError('invalid', `These are not primary addresses of users: ${names}. Check sharedMailboxes.`);
      }
      if (selected.length > 0) return `${selected.length} mailboxes can be read.`;
      throw new SourceError('invalid', 'No active user of the domain matches. Check users, groups and excludeUsers.');
    },
  };
}
