import { z } from 'zod';
import type { ConnectorCall } from '#connector';
import type { ConnectorHost } from '#host';
import { createSourceHttp } from '#http/create-source-http';
import { type Entries, entriesOf } from '#http/entries';
import { SourceError, type SourceErrorKind } from '#source-error';

const SCOPE = 'https://www.googleapis.com/auth/admin.directory';

/** The scopes of users, of groups, and of the members of groups. */
export const USER_SCOPE = `${SCOPE}.user.readonly`;
export const GROUP_SCOPES: readonly string[] = [`${SCOPE}.group.readonly`, `${SCOPE}.group.member.readonly`];

const Email = z.string().includes('@').max(320);

const User = z.object({
  id: z.string().min(1),
  primaryEmail: Email,
  customerId: z.string().optional(),
  suspended: z.boolean().default(false),
  archived: z.boolean().default(false),
  orgUnitPath: z.string().default('/'),
  aliases: z.array(z.string()).default([]),
  nonEditableAliases: z.array(z.string()).default([]),
});
export type DirectoryUser = z.infer<typeof User>;

const Group = z.object({ id: z.string().min(1), email: Email });
type DirectoryGroup = z.infer<typeof Group>;

/** https://developers.google.com/workspace/admin/directory/reference/rest/v1/members */
const Member = z.object({
  id: z.string().optional(),
  email: z.string().optional(),
  type: z.string(),
  status: z.string().optional(),
});
export type DirectoryMember = z.infer<typeof Member>;

const nextPageToken = z.string().optional();
const UserPage = z
  .object({ users: entriesOf(User, { optional: true }), nextPageToken })
  .transform(({ users, ...page }) => ({ ...page, list: users }));
const GroupPage = z
  .object({ groups: entriesOf(Group, { optional: true }), nextPageToken })
  .transform(({ groups, ...page }) => ({ ...page, list: groups }));
const MemberPage = z
  .object({ members: entriesOf(Member, { optional: true }), nextPageToken })
  .transform(({ members, ...page }) => ({ ...page, list: members }));

/** No organization has more pages; a server that repeats its token would never end. */
const MAX_PAGES = 20_000;

/**
 * Requests to the Directory API as an administrator.
 * https://developers.google.com/workspace/admin/directory/reference/rest
 */
export interface DirectoryApi {
  users(call: ConnectorCall): AsyncGenerator<Entries<DirectoryUser>, void, void>;
  groups(call: ConnectorCall): AsyncGenerator<Entries<DirectoryGroup>, void, void>;
  /** The direct members of a group, or with `derived` also those of nested groups. */
  members(
    call: ConnectorCall,
    groupKey: string,
    options?: { readonly derived?: boolean },
  ): AsyncGenerator<Entries<DirectoryMember>, void, void>;
}

export function createDirectoryApi(
  host: Pick<ConnectorHost, 'addresses' | 'egress'>,
  authorize: (call: ConnectorCall, rejected: boolean) => Promise<Readonly<Record<string, string>>>,
  errorOf: (response: { status: number; headers: Headers; body: unknown }) => SourceError | undefined,
): DirectoryApi {
  const base = `${host.addresses.googleAdmin.replace(/\/+$/, '')}/admin/directory/v1`;
  const http = createSourceHttp({
    platform: 'The Google Directory API',
    fetch: host.egress.trusting([new URL(base).origin]).fetch,
    authorize,
    errorOf,
  });

  async function* pages<E>(
    call: ConnectorCall,
    path: string,
    query: Readonly<Record<string, string>>,
    schema: z.ZodType<{ nextPageToken?: string | undefined; list: Entries<E> }>,
    what: string,
  ): AsyncGenerator<Entries<E>, void, void> {
    let pageToken: string | undefined;
    for (let number = 0; number < MAX_PAGES; number += 1) {
      const url = new URL(`${base}/${path}`);
      for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
      if (pageToken !== undefined) url.searchParams.set('pageToken', pageToken);
      const { value } = await http.json({ ...call }, { url, what }, schema);
      yield value.list;
      if (value.nextPageToken === undefined) return;
      pageToken = value.nextPageToken;
    }
    throw new SourceError('invalid', `Google returned more than ${MAX_PAGES} pages of ${what}.`);
  }

  return {
    users: (call) => {
      const fields =
        'nextPageToken,users(id,primaryEmail,customerId,suspended,archived,orgUnitPath,aliases,nonEditableAliases)';
      const query = { customer: 'my_customer', maxResults: '500', orderBy: 'email', fields };
      return pages(call, 'users', query, UserPage, 'the users of the domain');
    },
    groups: (call) => {
      const query = { customer: 'my_customer', maxResults: '200', fields: 'nextPageToken,groups(id,email)' };
      return pages(call, 'groups', query, GroupPage, 'the groups of the domain');
    },
    members: (call, groupKey, { derived = false } = {}) => {
      const fields = 'nextPageToken,members(id,email,type,status)';
      const query = { maxResults: '200', includeDerivedMembership: String(derived), fields };
      return pages(
        call,
        `groups/${encodeURIComponent(groupKey)}/members`,
        query,
        MemberPage,
        `the members of the group ${groupKey}`,
      );
    },
  };
}

const PERMANENT: ReadonlySet<SourceErrorKind> = new Set(['auth', 'forbidden', 'gone', 'invalid', 'too_large']);

/** True for an error that concerns one user, drive or group, and that a retry cannot fix. */
export const isPermanent = (error: unknown): error is SourceError =>
  error instanceof SourceError && PERMANENT.has(error.kind);
