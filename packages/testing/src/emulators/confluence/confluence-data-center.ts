import type { AttachmentModel, PageModel } from '#emulators/confluence/confluence-model';
import { byStart, type ConfluenceState, errorV1, must, notFoundV1 } from '#emulators/confluence/confluence-responses';
import {
  content,
  type Dialect,
  groups,
  listAnswer,
  members,
  restriction,
  search,
  user,
} from '#emulators/confluence/confluence-v1';
import {
  jsonResponse,
  PlatformError,
  type PlatformRequest,
  type PlatformResponse,
} from '#emulators/platform/platform-server';

/** The context path of the server. */
export const DATA_CENTER_CONTEXT = '/confluence';
const dialect: Dialect = { cloud: false, context: DATA_CENTER_CONTEXT };

type Route = (state: ConfluenceState, request: PlatformRequest, id: string) => PlatformResponse;

const spaces: Route = (state, request) => {
  const keys = request.query.getAll('spaceKey');
  const all = [...state.model.spaces.values()].filter((space) => keys.length === 0 || keys.includes(space.key));
  const list = byStart(state, request, all);
  const page = list.page.map(({ id, key, name }) => ({ id: Number(id), key, name, type: 'global', _links: {} }));
  return listAnswer(state, dialect, request.path, { ...list, page });
};

const contents: Route = (state, request) => {
  const { query } = request;
  if (query.get('type') !== 'page') throw new PlatformError(errorV1(400, 'Only pages are served here.'));
  const pages = [...state.model.pages.values()].filter(
    (page) => page.spaceKey === query.get('spaceKey') && page.status === (query.get('status') ?? 'current'),
  );
  const list = byStart(state, request, pages, true);
  const page = list.page.map((entry) => content(state, request, dialect, entry));
  return listAnswer(state, dialect, request.path, { ...list, page });
};

const shown = (state: ConfluenceState, id: string): PageModel | AttachmentModel => {
  const found = must(state.model.pages.get(id) ?? state.model.attachments.get(id), notFoundV1());
  if (found.status !== 'current') throw notFoundV1();
  return found;
};

const oneContent: Route = (state, request, id) => {
  const found = shown(state, id);
  const expand = (request.query.get('expand') ?? '').split(',');
  const form = content(state, request, dialect, found);
  if (!('storage' in found)) return jsonResponse(200, form);
  const ancestors: { id: string }[] = [];
  for (let at = found.parentId; at !== undefined; at = state.model.pages.get(at)?.parentId)
    ancestors.unshift({ id: at });
  if (expand.includes('body.storage') && found.storageFails) throw new PlatformError(errorV1(500, 'Broken macro'));
  const body = expand.includes('body.view')
    ? { view: { value: `<p>As it is shown: ${found.title}</p>` } }
    : { storage: { value: found.storage, representation: 'storage' } };
  return jsonResponse(200, {
    ...form,
    ...(expand.includes('ancestors') ? { ancestors } : {}),
    ...(expand.some((name) => name.startsWith('body.')) ? { body } : {}),
    metadata: { labels: { results: found.labels.map((name) => ({ name, prefix: 'global' })) } },
  });
};

const attachments: Route = (state, request, id) => {
  shown(state, id);
  const files = [...state.model.attachments.values()];
  const list = byStart(
    state,
    request,
    files.filter((file) => file.pageId === id && file.status === 'current'),
  );
  const page = list.page.map((file) => content(state, request, dialect, file));
  return listAnswer(state, dialect, request.path, { ...list, page });
};

const permissions: Route = (state, _request, key) => {
  const { readers } = must(state.model.spaces.get(key), notFoundV1());
  const operation = { targetType: 'space', operationKey: 'read' };
  return jsonResponse(200, [
    ...(readers.users ?? []).map((id) => ({ operation, subject: user(state.model.accounts.get(id), dialect) })),
    ...(readers.groups ?? []).map((id) => ({
      operation,
      subject: { type: 'group', name: state.model.groups.get(id)?.name, displayName: state.model.groups.get(id)?.name },
    })),
    ...(readers.anonymous ? [{ operation, subject: { type: 'anonymous', displayName: 'Anonymous' } }] : []),
  ]);
};

const download: Route = (state, _request, id) => {
  const found = must(state.model.attachments.get(id), notFoundV1());
  return { status: 200, headers: { 'content-type': found.mediaType }, body: found.bytes };
};

const one = '([^/]+)';
const paths: Readonly<Record<string, Route>> = {
  '/rest/api/space': spaces,
  [`/rest/api/space/${one}/permissions`]: permissions,
  '/rest/api/content': contents,
  '/rest/api/content/search': (state, request) => search(state, request, dialect),
  [`/rest/api/content/${one}`]: oneContent,
  [`/rest/api/content/${one}/child/attachment`]: attachments,
  [`/rest/api/content/${one}/restriction/byOperation/read`]: (state, request, id) =>
    restriction(state, request, dialect, id),
  '/rest/api/group': (state, request) => groups(state, request, dialect),
  [`/rest/api/group/${one}/member`]: (state, request, id) => members(state, request, dialect, id),
  [`/download/attachments/[^/]+/${one}`]: download,
};
const routes = Object.entries(paths).map(([path, route]) => ({
  path: new RegExp(`^${DATA_CENTER_CONTEXT}${path}$`),
  route,
}));

/** Confluence Data Center, 9.1 or later. */
export function answerDataCenter(state: ConfluenceState, request: PlatformRequest): PlatformResponse {
  if (request.method !== 'GET') return errorV1(405, 'Method Not Allowed');
  for (const { path, route } of routes) {
    const found = path.exec(request.path);
    if (found !== null) return route(state, request, found[1] ?? '');
  }
  return errorV1(404, 'Not Found');
}
