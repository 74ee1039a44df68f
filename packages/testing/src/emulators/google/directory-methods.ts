import { GROUP_SCOPE, MEMBER_SCOPE, USER_SCOPE } from '#emulators/google/delegation';
import type { DirectoryModel } from '#emulators/google/directory-model';
import { checkParameters, refuse, selected } from '#emulators/google/google-responses';
import type { PageTokens } from '#emulators/platform/page-tokens';
import type { PlatformRequest, PlatformResponse } from '#emulators/platform/platform-server';

/*
 * The Directory API of the Admin SDK.
 * https://developers.google.com/workspace/admin/directory/reference/rest/v1/users/list
 * https://developers.google.com/workspace/admin/directory/reference/rest/v1/groups/list
 * https://developers.google.com/workspace/admin/directory/reference/rest/v1/members/list
 */

interface DirectoryState {
  readonly directory: DirectoryModel;
  readonly pages: PageTokens<string>;
  readonly pageSize: number;
}

/** The page of entries, sorted by key, at the token of the request. */
function pageOf<T>(
  { pages, pageSize }: DirectoryState,
  { query }: PlatformRequest,
  listing: string,
  entries: readonly (readonly [key: string, entry: T])[],
  most: number,
) {
  const size = Number(query.get('maxResults') ?? 100);
  if (!Number.isInteger(size) || size < 1 || size > most) refuse(400, 'invalid', 'Invalid Input: maxResults');
  const token = query.get('pageToken');
  const after =
    token === null ? '' : (pages.read(listing, token) ?? refuse(400, 'invalid', 'Invalid Input: pageToken'));
  const rest = entries.filter(([key]) => key > after).sort(([a], [b]) => (a < b ? -1 : 1));
  const page = rest.slice(0, Math.min(size, pageSize));
  const last = page.at(-1)?.[0];
  const more = rest.length > page.length && last !== undefined;
  return { page: page.map(([, entry]) => entry), ...(more ? { nextPageToken: pages.issue(listing, last) } : {}) };
}

function requireCustomer({ query }: PlatformRequest): void {
  if (query.get('customer') !== 'my_customer') refuse(400, 'badRequest', 'Bad Request: customer or domain is required');
}

function listUsers(state: DirectoryState, request: PlatformRequest): PlatformResponse {
  checkParameters(request, ['customer', 'maxResults', 'pageToken', 'orderBy', 'projection', 'query', 'showDeleted']);
  requireCustomer(request);
  const entries = [...state.directory.users.values()].map(
    ({ aliases, nonEditableAliases, ...user }) =>
      [
        user.primaryEmail,
        {
          ...user,
          // The API omits empty lists.
          ...(aliases.length > 0 ? { aliases } : {}),
          ...(nonEditableAliases.length > 0 ? { nonEditableAliases } : {}),
        },
      ] as const,
  );
  const { page: users, ...next } = pageOf(state, request, 'users', entries, 500);
  return selected(request, { kind: 'admin#directory#users', users, ...next }, '*');
}

function listGroups(state: DirectoryState, request: PlatformRequest): PlatformResponse {
  checkParameters(request, ['customer', 'maxResults', 'pageToken', 'orderBy', 'sortOrder', 'query', 'userKey']);
  requireCustomer(request);
  const entries = [...state.directory.groups.values()].map(
    ({ members, ...group }) => [group.email, { ...group, directMembersCount: String(members.length) }] as const,
  );
  const { page: groups, ...next } = pageOf(state, request, 'groups', entries, 200);
  return selected(request, { kind: 'admin#directory#groups', groups, ...next }, '*');
}

function listMembers(state: DirectoryState, request: PlatformRequest, key: string): PlatformResponse {
  checkParameters(request, ['includeDerivedMembership', 'maxResults', 'pageToken', 'roles']);
  const { groups, derivedMembers } = state.directory;
  const group =
    [...groups.values()].find(({ id, email }) => id === key || email.toLowerCase() === key.toLowerCase()) ??
    refuse(404, 'notFound', `Resource Not Found: groupKey`);
  const isDerived = request.query.get('includeDerivedMembership') === 'true';
  const members = isDerived ? derivedMembers(group.email) : group.members;
  const entries = members.map((member) => [`${member.type} ${member.email ?? member.id}`, member] as const);
  const { page, ...next } = pageOf(state, request, `members ${key} ${isDerived}`, entries, 200);
  return selected(request, { kind: 'admin#directory#members', members: page, ...next }, '*');
}

const PATH = '/admin/directory/v1/';

/** True for a request to the Directory API. */
export const isDirectoryPath = (path: string): boolean => path.startsWith(PATH);

/** Returns the scopes that each allow a request. */
export const directoryScopes = (path: string): readonly string[] => {
  if (path.endsWith('/users')) return [USER_SCOPE];
  return path.endsWith('/members') ? [MEMBER_SCOPE, GROUP_SCOPE] : [GROUP_SCOPE];
};

/** Handles a request to the Directory API by a user. */
export function answerDirectory(
  state: DirectoryState,
  request: PlatformRequest,
  user: { readonly isAdmin: boolean } | undefined,
): PlatformResponse {
  if (!user?.isAdmin) return refuse(403, 'forbidden', 'Not Authorized to access this resource/api');
  const [list, key, members] = request.path.slice(PATH.length).split('/');
  if (list === 'users' && key === undefined) return listUsers(state, request);
  if (list === 'groups' && key === undefined) return listGroups(state, request);
  if (list === 'groups' && members === 'members') return listMembers(state, request, key ?? '');
  return refuse(404, 'notFound', 'Not Found');
}
