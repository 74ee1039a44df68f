import type { AttachmentModel, PageModel, SpaceModel } from '#emulators/confluence/confluence-model';
import {
  byCursor,
  type ConfluenceState,
  errorV2,
  must,
  notFoundV1,
  notFoundV2,
} from '#emulators/confluence/confluence-responses';
import { type Dialect, groups, members, restriction, search, user } from '#emulators/confluence/confluence-v1';
import {
  jsonResponse,
  PlatformError,
  type PlatformRequest,
  type PlatformResponse,
} from '#emulators/platform/platform-server';

const dialect: Dialect = { cloud: true, context: '/wiki' };

type Route = (state: ConfluenceState, request: PlatformRequest, id: string) => PlatformResponse;

const version = ({ version: number, when, authorId }: PageModel | AttachmentModel) => ({
  number,
  createdAt: when,
  authorId,
  message: '',
  minorEdit: false,
});

const spaceForm = ({ id, key, name, status }: SpaceModel) => ({
  id,
  key,
  name,
  type: key.startsWith('~') ? 'personal' : 'global',
  status,
  _links: { webui: `/spaces/${key}` },
});

const pageForm = (state: ConfluenceState, page: PageModel) => ({
  id: page.id,
  status: page.status,
  title: page.title,
  spaceId: state.model.spaces.get(page.spaceKey)?.id,
  parentId: page.parentId ?? null,
  authorId: page.authorId,
  createdAt: page.when,
  version: version(page),
  _links: { webui: `/spaces/${page.spaceKey}/pages/${page.id}` },
});

const attachmentForm = (attachment: AttachmentModel) => ({
  id: attachment.id,
  status: attachment.status,
  title: attachment.title,
  pageId: attachment.pageId,
  mediaType: attachment.mediaType,
  fileSize: attachment.bytes.length,
  version: version(attachment),
  webuiLink: `/pages/viewpageattachments.action?pageId=${attachment.pageId}&preview=${attachment.id}`,
  downloadLink: `/download/attachments/${attachment.pageId}/${attachment.id}?version=${attachment.version}`,
});

function listOf(
  state: ConfluenceState,
  list: { page: readonly unknown[]; next: string | undefined },
): PlatformResponse {
  const next = list.next === undefined ? {} : { next: list.next };
  return jsonResponse(200, { results: list.page, _links: { ...next, base: `${state.origin()}/wiki` } });
}

const spaceById = (state: ConfluenceState, id: string): SpaceModel =>
  must(
    [...state.model.spaces.values()].find((space) => space.id === id),
    notFoundV2(),
  );

const shownPage = (state: ConfluenceState, id: string): PageModel => {
  const page = must(state.model.pages.get(id), notFoundV2());
  if (page.status !== 'current' && page.status !== 'archived') throw notFoundV2();
  return page;
};

const spaces: Route = (state, request) => {
  const keys = request.query.get('keys')?.split(',');
  const status = request.query.get('status');
  const all = [...state.model.spaces.values()];
  const shown = all.filter((space) => (keys?.includes(space.key) ?? true) && (status ?? space.status) === space.status);
  const list = byCursor(state, request, shown);
  return listOf(state, { ...list, page: list.page.map(spaceForm) });
};

const pagesOfSpace: Route = (state, request, id) => {
  const { key } = spaceById(state, id);
  const status = request.query.get('status') ?? 'current';
  const depth = request.query.get('depth') ?? 'all';
  const pages = [...state.model.pages.values()].filter((page) => page.spaceKey === key && page.status === status);
  const shown = depth === 'root' ? pages.filter((page) => page.parentId === undefined) : pages;
  const list = byCursor(state, request, shown, { heavy: true });
  return listOf(state, { ...list, page: list.page.map((page) => pageForm(state, page)) });
};

const page: Route = (state, request, id) => {
  const found = shownPage(state, id);
  const format = request.query.get('body-format');
  if (format === 'storage' && found.storageFails) {
    throw new PlatformError(errorV2(500, 'INTERNAL_SERVER_ERROR', 'Failed to convert the body'));
  }
  if (format !== null && format !== 'storage' && format !== 'view') {
    throw new PlatformError(errorV2(400, 'INVALID_REQUEST_PARAMETER', 'Invalid body-format'));
  }
  const rendered = format === 'view' ? `<p>As it is shown: ${found.title}</p>` : found.storage;
  const labels = found.labels.map((name, at) => ({ id: String(at), name, prefix: 'global' }));
  const form = pageForm(state, found);
  return jsonResponse(200, {
    ...form,
    body: format === null ? {} : { [format]: { representation: format, value: rendered } },
    ...(request.query.get('include-labels') === 'true' ? { labels: { results: labels, meta: {}, _links: {} } } : {}),
    _links: { ...form._links, base: `${state.origin()}/wiki` },
  });
};

const attachmentsOfPage: Route = (state, request, id) => {
  shownPage(state, id);
  const files = [...state.model.attachments.values()];
  const list = byCursor(
    state,
    request,
    files.filter((file) => file.pageId === id && file.status === 'current'),
  );
  return listOf(state, { ...list, page: list.page.map(attachmentForm) });
};

const ancestors: Route = (state, request, id) => {
  const chain: { id: string; type: string }[] = [];
  for (let at = shownPage(state, id).parentId; at !== undefined; at = state.model.pages.get(at)?.parentId) {
    chain.unshift({ id: at, type: 'page' });
  }
  const list = byCursor(state, request, chain);
  return listOf(state, list);
};

const attachment: Route = (state, _request, id) => {
  const found = must(state.model.attachments.get(id), notFoundV2());
  if (found.status !== 'current') throw notFoundV2();
  return jsonResponse(200, { ...attachmentForm(found), _links: { base: `${state.origin()}/wiki` } });
};

const permissions: Route = (state, request, id) => {
  const { readers } = spaceById(state, id);
  const principals = [
    ...(readers.users ?? []).map((user) => ({ type: 'user', id: user })),
    ...(readers.groups ?? []).map((group) => ({ type: 'group', id: group })),
    ...(readers.anonymous ? [{ type: 'anonymous', id: 'anonymous' }] : []),
    { type: 'role', id: 'atlassian-addons-project-access' },
  ];
  const granted = principals.flatMap((principal) => [
    { principal, operation: { key: 'read', targetType: 'space' } },
    { principal, operation: { key: 'create', targetType: 'page' } },
  ]);
  const administrator = { type: 'group', id: 'group-administrators' };
  const all = [...granted, { principal: administrator, operation: { key: 'administer', targetType: 'space' } }];
  const list = byCursor(
    state,
    request,
    all.map((entry, at) => ({ id: String(at + 1), ...entry })),
  );
  return listOf(state, list);
};

const usersBulk: Route = (state, request) => {
  const { accountIds } = JSON.parse(request.body);
  if (!Array.isArray(accountIds) || accountIds.length > 250) {
    throw new PlatformError(errorV2(400, 'INVALID_REQUEST_PARAMETER', 'accountIds must hold at most 250 ids'));
  }
  const known = accountIds.flatMap((id) => state.model.accounts.get(String(id)) ?? []);
  return jsonResponse(200, { results: known.map((account) => user(account, dialect)) });
};

const download: Route = (state, _request, id) => {
  const found = must(state.model.attachments.get(id), notFoundV1());
  return { status: 200, headers: { 'content-type': found.mediaType }, body: found.bytes };
};

const one = '([^/]+)';
const paths: Readonly<Record<string, Route>> = {
  '/api/v2/spaces': spaces,
  [`/api/v2/spaces/${one}`]: (state, _request, id) => jsonResponse(200, spaceForm(spaceById(state, id))),
  [`/api/v2/spaces/${one}/pages`]: pagesOfSpace,
  [`/api/v2/spaces/${one}/permissions`]: permissions,
  [`/api/v2/pages/${one}`]: page,
  [`/api/v2/pages/${one}/attachments`]: attachmentsOfPage,
  [`/api/v2/pages/${one}/ancestors`]: ancestors,
  [`/api/v2/attachments/${one}`]: attachment,
  '/api/v2/users-bulk': usersBulk,
  '/rest/api/content/search': (state, request) => search(state, request, dialect),
  [`/rest/api/content/${one}/restriction/byOperation/read`]: (state, request, id) =>
    restriction(state, request, dialect, id),
  '/rest/api/group': (state, request) => groups(state, request, dialect),
  [`/rest/api/group/${one}/membersByGroupId`]: (state, request, id) => members(state, request, dialect, id),
  [`/download/attachments/[^/]+/${one}`]: download,
};
const routes = Object.entries(paths).map(([path, route]) => ({ path: new RegExp(`^/wiki${path}$`), route }));

/** Confluence Cloud: the API v2 and the remaining parts of v1. */
export function answerCloud(state: ConfluenceState, request: PlatformRequest): PlatformResponse {
  for (const { path, route } of routes) {
    const found = path.exec(request.path);
    if (found === null) continue;
    const posts = route === usersBulk;
    if ((request.method === 'POST') !== posts) return errorV2(405, 'METHOD_NOT_ALLOWED', 'Method Not Allowed');
    return route(state, request, found[1] ?? '');
  }
  return errorV2(404, 'NOT_FOUND', 'Not Found');
}
