import {
  createNotionModel,
  type NotionBlock,
  type NotionModel,
  type NotionParent,
  notionId,
} from '#emulators/notion/notion-model';
import * as responses from '#emulators/notion/notion-responses';
import { createOAuthEmulator, type OAuthEmulator } from '#emulators/platform/oauth-emulator';
import { createPageTokens } from '#emulators/platform/page-tokens';
import {
  jsonResponse,
  type PlatformRequest,
  type PlatformResponse,
  type PlatformServer,
  startPlatformServer,
} from '#emulators/platform/platform-server';

export interface NotionServer extends PlatformServer {
  readonly model: NotionModel;
  readonly oauth: OAuthEmulator;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Invalidates all cursors. */
  expireCursors(): void;
}

export interface NotionServerOptions {
  /** The maximum page size; default 50. */
  readonly pageSize?: number;
  readonly redirectUris?: readonly string[];
  /** `truncated`: returns half a page; `missing`: the API does not exist. Default `whole`. */
  readonly markdown?: 'whole' | 'truncated' | 'missing';
  /** False if the integration must not read users. */
  readonly showsUsers?: boolean;
}

type Body = Readonly<Record<string, unknown>>;

function checkedBody(request: PlatformRequest, known: readonly string[]): Body {
  if (!(request.headers['content-type'] ?? '').startsWith('application/json')) {
    return responses.refuse(400, 'The content type must be application/json.', 'invalid_json');
  }
  const body: unknown = JSON.parse(request.body || '{}');
  if (typeof body !== 'object' || body === null) return responses.refuse(400, 'body failed validation', 'invalid_json');
  const unknown = Object.keys(body).find((name) => !known.includes(name));
  if (unknown !== undefined) responses.refuse(400, `body failed validation: body.${unknown} should be not present`);
  return { ...body };
}

/** Notion's API (2025-09-03), with the authorization page and token endpoint under `/v1/oauth`. */
export async function startNotionServer(options: NotionServerOptions = {}): Promise<NotionServer> {
  const { pageSize = 50, markdown = 'whole', showsUsers = true } = options;
  const client = { clientId: notionId('client'), clientSecret: 'notion-app-secret' };
  const oauth = createOAuthEmulator({
    ...client,
    redirectUris: options.redirectUris ?? [],
    clientAuthentication: 'basic',
    tokenRequest: 'json',
    pkce: false,
    rotates: true,
    authorizeParameters: { owner: 'user' },
    extra: { bot_id: notionId('bot'), workspace_id: notionId('workspace'), workspace_name: 'Team' },
  });
  const model = createNotionModel();
  const cursors = createPageTokens<string>();
  let origin = '';

  /** Returns a page of entries in the order of their keys, and builds only those. */
  const pageOf = (listing: string, params: Body, entries: readonly (readonly [key: string, make: () => unknown])[]) => {
    const size = Number(params.page_size ?? 100);
    if (!Number.isInteger(size) || size < 1 || size > 100) responses.refuse(400, 'page_size should be at most 100');
    const cursor = params.start_cursor;
    const after =
      cursor === undefined
        ? ''
        : (cursors.read(listing, String(cursor)) ?? responses.refuse(400, 'The start_cursor provided is invalid.'));
    const rest = entries.filter(([key]) => key > after).sort((a, b) => (a[0] < b[0] ? -1 : 1));
    const page = rest.slice(0, Math.min(size, pageSize));
    const last = page.at(-1);
    const more = rest.length > page.length && last !== undefined;
    const next = more ? cursors.issue(listing, last[0]) : null;
    const results = page.map(([, make]) => make());
    return jsonResponse(200, { object: 'list', results, next_cursor: next, has_more: more, request_id: notionId('r') });
  };

  const search = (request: PlatformRequest) => {
    const body = checkedBody(request, ['query', 'filter', 'sort', 'start_cursor', 'page_size']);
    const pages = [...model.pages.values()]
      .filter((page) => page.searchable && !page.inTrash)
      .map((page) => [`${page.lastEdited} ${page.id}`, () => responses.pageObject(page, origin)] as const);
    const sources = [...model.databases.values()]
      .filter((database) => database.searchable)
      .flatMap((database) =>
        database.dataSources.map((id) => [`0 ${id}`, () => responses.dataSourceObject(database, id)] as const),
      );
    return pageOf('search', body, [...pages, ...sources]);
  };

  const query = (request: PlatformRequest, id: string) => {
    const known = ['filter', 'sorts', 'start_cursor', 'page_size', 'in_trash', 'archived', 'result_type'];
    const body = checkedBody(request, known);
    const database = [...model.databases.values()].find(({ dataSources }) => dataSources.includes(id));
    if (database === undefined) responses.notFound('data source', id);
    const rows = [...model.pages.values()].filter(
      ({ parent, inTrash }) => parent.type === 'data_source_id' && parent.data_source_id === id && !inTrash,
    );
    return pageOf(
      `rows ${id}`,
      body,
      rows.map((row) => [row.id, () => responses.pageObject(row, origin)] as const),
    );
  };

  const blocksOf = (id: string): readonly NotionBlock[] => {
    const page = model.pages.get(id);
    if (page === undefined) return (model.findBlock(id) ?? responses.notFound('block', id)).children;
    const isChild = (parent: NotionParent) => parent.type === 'page_id' && parent.page_id === id;
    const link = (type: string, { id: child, title }: { id: string; title: string }): NotionBlock => {
      return { id: child, type, content: { title }, children: [] };
    };
    return [
      ...page.blocks,
      ...[...model.pages.values()]
        .filter((child) => isChild(child.parent) && !child.inTrash)
        .map((c) => link('child_page', c)),
      ...[...model.databases.values()]
        .filter(({ parent }) => isChild(parent))
        .map((child) => link('child_database', child)),
    ];
  };

  const children = ({ query }: PlatformRequest, id: string) => {
    const body = Object.fromEntries(
      [...query].map(([name, value]) => [name, name === 'page_size' ? Number(value) : value]),
    );
    const entries = blocksOf(id).map(
      (block, at) => [`${at}`.padStart(6, '0'), () => responses.blockObject(block)] as const,
    );
    return pageOf(`children ${id}`, body, entries);
  };

  const pageMarkdown = (id: string) => {
    const { blocks } = model.pages.get(id) ?? responses.notFound('page', id);
    if (markdown === 'missing') responses.refuse(400, 'Invalid request URL.', 'invalid_request_url');
    const cut = markdown === 'truncated';
    const shown = cut ? blocks.slice(0, Math.ceil(blocks.length / 2)) : blocks;
    const unknown = blocks.slice(shown.length).map((block) => block.id);
    const body = { object: 'page_markdown', id, markdown: responses.markdownOf(shown).join('\n'), truncated: cut };
    return jsonResponse(200, { ...body, unknown_block_ids: unknown });
  };

  const user = (id: string) => {
    if (!showsUsers) responses.refuse(403, 'Insufficient permissions for this endpoint.');
    const name = [...model.pages.values()].find((page) => notionId(`user ${page.editor}`) === id)?.editor;
    if (name === undefined) return responses.notFound('user', id);
    return jsonResponse(200, { object: 'user', id, type: 'person', name, person: {} });
  };

  const answer = (request: PlatformRequest): PlatformResponse => {
    const { method, path, headers } = request;
    if (path === '/v1/oauth/authorize') return oauth.authorize(request);
    if (path === '/v1/oauth/token') return oauth.token(request);
    if (!oauth.accepts(headers.authorization)) return responses.notionError(401, 'API token is invalid.');
    if (headers['notion-version'] === undefined) {
      return responses.notionError(400, 'Notion-Version header should be defined.', 'missing_version');
    }
    if (headers['notion-version'] !== '2025-09-03') return responses.notionError(400, 'Notion-Version is unknown.');
    const [, , kind, id = '', sub = ''] = path.split('/');
    const route = `${method} ${kind} ${sub}`;
    if (route === 'POST search ') return search(request);
    if (route === 'POST data_sources query') return query(request, id);
    if (route === 'GET blocks children') return children(request, id);
    if (route === 'GET pages markdown') return pageMarkdown(id);
    if (route === 'GET users ') return user(id);
    if (route === 'GET pages ') {
      return jsonResponse(200, responses.pageObject(model.pages.get(id) ?? responses.notFound('page', id), origin));
    }
    if (route === 'GET databases ') {
      return jsonResponse(200, responses.databaseObject(model.databases.get(id) ?? responses.notFound('database', id)));
    }
    return responses.notionError(400, 'Invalid request URL.', 'invalid_request_url');
  };

  const server = await startPlatformServer({ refuse: responses.notionError, answer });
  origin = server.origin;
  return { ...server, ...client, model, oauth, expireCursors: () => cursors.expireAll() };
}
