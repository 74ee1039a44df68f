import type { AccountModel, AttachmentModel, PageModel, ReadersModel } from '#emulators/confluence/confluence-model';
import { byStart, type ConfluenceState, errorV1, must, notFoundV1 } from '#emulators/confluence/confluence-responses';
import {
  jsonResponse,
  PlatformError,
  type PlatformRequest,
  type PlatformResponse,
} from '#emulators/platform/platform-server';

/** The API v1 that Cloud and Data Center share. Cloud identifies accounts and groups by id, Data Center by key and name. */
export interface Dialect {
  readonly cloud: boolean;
  /** The context path, `/wiki` on Cloud. */
  readonly context: string;
}

export function user(account: AccountModel | undefined, { cloud }: Dialect) {
  if (account === undefined) return { type: 'unknown', displayName: 'Former user' };
  const { id, name, email, username } = account;
  if (!cloud) return { type: 'known', username, userKey: id, displayName: name };
  return {
    type: 'known',
    accountId: id,
    accountType: 'atlassian',
    email: email ?? '',
    displayName: name,
    publicName: name,
  };
}

const expands = (request: PlatformRequest, name: string): boolean =>
  (request.query.get('expand') ?? '').split(',').includes(name);

/** A content with the expanded parts. */
export function content(
  state: ConfluenceState,
  request: PlatformRequest,
  dialect: Dialect,
  of: PageModel | AttachmentModel,
) {
  const { model } = state;
  const page = 'spaceKey' in of ? of : model.pages.get(of.pageId);
  const space = model.spaces.get(page?.spaceKey ?? '');
  const attachment = 'bytes' in of ? of : undefined;
  const webui =
    attachment === undefined
      ? `/display/${space?.key}/${of.id}`
      : `/display/${space?.key}/${page?.id}?preview=${of.id}`;
  return {
    id: of.id,
    type: attachment === undefined ? 'page' : 'attachment',
    status: of.status,
    title: of.title,
    ...(expands(request, 'space') ? { space: { id: Number(space?.id), key: space?.key, name: space?.name } } : {}),
    ...(expands(request, 'version')
      ? { version: { number: of.version, when: of.when, by: user(model.accounts.get(of.authorId), dialect) } }
      : {}),
    ...(expands(request, 'container') && page ? { container: { id: page.id, type: 'page', title: page.title } } : {}),
    ...(attachment === undefined
      ? {}
      : { extensions: { mediaType: attachment.mediaType, fileSize: attachment.bytes.length } }),
    _links: {
      webui,
      ...(attachment === undefined
        ? {}
        : { download: `/download/attachments/${attachment.pageId}/${attachment.id}?api=v2` }),
    },
  };
}

export function listAnswer(
  state: ConfluenceState,
  { context }: Dialect,
  path: string,
  list: { page: readonly unknown[]; start: number; limit: number; query: URLSearchParams | undefined },
): PlatformResponse {
  const { page, start, limit, query } = list;
  // Without the context path, which `base` contains.
  const next = query === undefined ? {} : { next: `${path.slice(context.length)}?${query}` };
  const links = { base: `${state.origin()}${context}`, context, ...next };
  return jsonResponse(200, { results: page, start, limit, size: page.length, _links: links });
}

/** Supports only the queries of a search for changes. */
export function search(state: ConfluenceState, request: PlatformRequest, dialect: Dialect): PlatformResponse {
  const cql = request.query.get('cql') ?? '';
  const form =
    /^(?:space in \((?<spaces>[^)]*)\) and )?type in \(page, attachment\) and lastmodified >= "(?<since>\d{4}-\d\d-\d\d \d\d:\d\d)" order by lastmodified$/;
  const found = form.exec(cql)?.groups;
  if (found === undefined) throw new PlatformError(errorV1(400, `Could not parse cql : ${cql}`));
  const spaces = found.spaces?.split(', ').map((quoted) => quoted.slice(1, -1));
  const since = `${found.since?.replace(' ', 'T')}:00Z`;
  const { pages, attachments } = state.model;
  const spaceOf = (of: PageModel | AttachmentModel) =>
    'spaceKey' in of ? of.spaceKey : (pages.get(of.pageId)?.spaceKey ?? '');
  const hits = [...pages.values(), ...attachments.values()]
    .filter((of) => of.status === 'current' && of.when >= since && (spaces?.includes(spaceOf(of)) ?? true))
    .sort((a, b) => a.when.localeCompare(b.when));
  const list = byStart(state, request, hits);
  const page = list.page.map((of) => content(state, request, dialect, of));
  return listAnswer(state, dialect, request.path, { ...list, page });
}

export function restriction(
  state: ConfluenceState,
  request: PlatformRequest,
  dialect: Dialect,
  id: string,
): PlatformResponse {
  const page = must(state.model.pages.get(id), notFoundV1());
  const readers: ReadersModel = page.restriction ?? {};
  const users = (readers.users ?? []).map((account) => user(state.model.accounts.get(account), dialect));
  const groups = (readers.groups ?? []).map((group) => {
    const name = state.model.groups.get(group)?.name;
    return dialect.cloud ? { type: 'group', id: group, name } : { type: 'group', name };
  });
  const part = (results: readonly unknown[]) => ({ results, start: 0, limit: 200, size: results.length });
  if (!expands(request, 'restrictions.user') || !expands(request, 'restrictions.group')) {
    return jsonResponse(200, { operation: 'read', _expandable: { restrictions: '' } });
  }
  return jsonResponse(200, { operation: 'read', restrictions: { user: part(users), group: part(groups) } });
}

export function groups(state: ConfluenceState, request: PlatformRequest, dialect: Dialect): PlatformResponse {
  const list = byStart(state, request, [...state.model.groups.values()]);
  const page = list.page.map(({ id, name }) => (dialect.cloud ? { type: 'group', id, name } : { type: 'group', name }));
  return listAnswer(state, dialect, request.path, { ...list, page });
}

export function members(
  state: ConfluenceState,
  request: PlatformRequest,
  dialect: Dialect,
  group: string,
): PlatformResponse {
  const known = [...state.model.groups.values()].find(({ id, name }) => (dialect.cloud ? id : name) === group);
  const list = byStart(state, request, must(known, notFoundV1()).members);
  const page = list.page.map((id) => user(state.model.accounts.get(id), dialect));
  return listAnswer(state, dialect, request.path, { ...list, page });
}
