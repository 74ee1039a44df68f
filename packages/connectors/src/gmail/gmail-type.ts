import { toPrincipal } from '@lectern/contracts';
import { z } from 'zod';
import { createDomainMailboxes, GMAIL_SCOPE } from '#gmail/domain-mailboxes';
import { openGmail } from '#gmail/gmail-connector';
import { DEFAULT_EXCLUDED } from '#gmail/selection';
import { createUserMailbox } from '#gmail/user-mailbox';
import { address, addressList, domainAccess, googleOAuth, serviceAccountCredentials } from '#google/google-settings';
import { defineType } from '#settings/connector-type';
import { groupPrincipal } from '#settings/group-principal';
import { textList } from '#settings/text-list';

const GROUP_PREFIX = groupPrincipal('gmail', '');
const MAX_READERS = 100;

/** `user:<email>`, `group:<email>` for a Google group, or another group of Lectern. */
function readerOf(text: string): string | undefined {
  const group = /^group:([^\s@:/]+@[^\s@:/]+)$/.exec(text)?.[1];
  if (group !== undefined) return groupPrincipal('gmail', group.toLowerCase());
  return text === 'public' ? undefined : toPrincipal(text);
}

interface SharedMailbox {
  readonly email: string;
  readonly readers: readonly string[];
}

/** Parses `support@example.com: group:support@example.com, user:ada@example.com`. */
function parseShared(line: string): SharedMailbox | undefined {
  const [, mailbox, list = ''] = /^([^\s:]+)\s*:\s*(\S.*)$/.exec(line.trim()) ?? [];
  const email = address.safeParse(mailbox).data;
  const readers = list.split(',').map((text) => readerOf(text.trim()));
  const known = readers.filter((reader) => reader !== undefined);
  const isValid = email !== undefined && known.length === readers.length && known.length <= MAX_READERS;
  return isValid ? { email, readers: known } : undefined;
}

const sharedMailboxes = textList('mailboxes with their readers').pipe(
  z
    .array(
      z
        .string()
        .max(10_000)
        .refine(
          (line) => parseShared(line) !== undefined,
          'must be an address, a colon and readers, for example support@example.com: group:team@example.com, user:ada@example.com',
        ),
    )
    .max(200),
);

const labels = textList('labels').pipe(z.array(z.string().max(225)).max(50));

/** Gmail: the mailboxes of a Google Workspace domain, or that of one user. */
export const gmailType = defineType({
  name: 'gmail',
  acceptsFiles: false,
  oauth: googleOAuth(GMAIL_SCOPE),
  credentialsInsteadOfOAuth: 'serviceAccountKey',
  // They limit what a service account, which can read the whole domain, gives access to, and to whom.
  endpointFields: ['users', 'groups', 'excludeUsers', 'sharedMailboxes'],
  readerFields: ['sharedMailboxes'],
  config: z.strictObject({
    users: addressList('users').optional(),
    groups: addressList('groups').optional(),
    excludeUsers: addressList('users').optional(),
    labels: labels.optional(),
    excludeLabels: labels.optional(),
    query: z.string().trim().max(1_000).optional(),
    since: z.iso.date('must be a date, for example 2026-01-31').optional(),
    sharedMailboxes: sharedMailboxes.optional(),
  }),
  credentials: serviceAccountCredentials,
  open: ({ config, credentials, host }) => {
    const { users = [], groups = [], excludeUsers = [], since, query = '' } = config;
    const shared = (config.sharedMailboxes ?? []).flatMap((line) => parseShared(line) ?? []);
    const sharedReaders = new Map<string, readonly string[]>();
    for (const { email, readers } of shared) {
      sharedReaders.set(email, [...(sharedReaders.get(email) ?? []), ...readers]);
    }
    const filter = {
      labels: config.labels ?? [],
      excludeLabels: config.excludeLabels ?? DEFAULT_EXCLUDED,
      query,
      sinceMs: since === undefined ? undefined : Date.parse(since),
    };
    const usesGroup = (line: SharedMailbox) => line.readers.some((reader) => reader.startsWith(GROUP_PREFIX));
    // A user who authorizes the connector shares the mailbox with no one, whoever edits the config.
    const access = domainAccess(credentials, { users, groups, excludeUsers, sharedMailboxes: shared });
    const mailboxes =
      access === undefined
        ? createUserMailbox(host)
        : createDomainMailboxes(
            {
              ...access,
              ...{ users, groups, excludeUsers, orgUnits: [] },
              shared: [...sharedReaders.keys()],
              readsGroups: shared.some(usesGroup),
            },
            host,
          );
    return openGmail({ mailboxes, filter, sharedReaders }, host);
  },
});
