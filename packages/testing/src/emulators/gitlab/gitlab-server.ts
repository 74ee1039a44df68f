import { randomUUID } from 'node:crypto';
import { entriesBelow, rootTree } from '#emulators/github/git-model';
import {
  createGitlabModel,
  type GitlabIssuable,
  type GitlabModel,
  type GitlabProject,
} from '#emulators/gitlab/gitlab-model';
import { createResponses } from '#emulators/gitlab/gitlab-responses';
import { createPageTokens } from '#emulators/platform/page-tokens';
import {
  jsonResponse,
  PlatformError,
  type PlatformRequest,
  type PlatformResponse,
  type PlatformServer,
  startPlatformServer,
} from '#emulators/platform/platform-server';

export interface GitlabServer extends PlatformServer {
  readonly token: string;
  /** The address of the instance, with a path as below a relative URL. */
  readonly instanceUrl: string;
  readonly model: GitlabModel;
  /**
   * True if the token belongs to an administrator. Initially false. Without admin mode, it has no
   * rights beyond those of other accounts.
   */
  setAdministrator(isAdministrator: boolean, options?: { readonly hasAdminMode?: boolean }): void;
  /** The scopes of the token. Initially `read_api`. */
  setScopes(scopes: readonly string[]): void;
}

export interface GitlabServerOptions {
  /** The largest page of a list. Default 100, which is GitLab's. */
  readonly pageSize?: number;
}

const ROOT = '/gitlab';
const fail = (status: number, message: string): never => {
  throw new PlatformError(jsonResponse(status, { message: `${status} ${message}` }));
};
const invalid = (parameter: string): never => {
  throw new PlatformError(jsonResponse(400, { error: `${parameter} is invalid` }));
};

/** Throws for parameters that the endpoint does not have, so that a misspelled one is found. */
function allow({ query }: PlatformRequest, names: readonly string[]): void {
  for (const name of query.keys()) if (!['page', 'per_page', ...names].includes(name)) invalid(name);
}

function oneOf({ query }: PlatformRequest, name: string, values: readonly string[]): string {
  const value = query.get(name) ?? values[0] ?? '';
  return values.includes(value) ? value : invalid(name);
}

function countOf({ query }: PlatformRequest, name: string, fallback: number): number {
  const text = query.get(name) ?? `${fallback}`;
  return /^[1-9]\d*$/.test(text) ? Number(text) : invalid(name);
}

function timeOf({ query }: PlatformRequest, name: string): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  const time = Date.parse(text);
  return Number.isNaN(time) ? invalid(name) : time;
}

/**
 * The parts of GitLab's REST API that read projects, and the GraphQL query for public emails. Paths
 * of projects, branches and wiki pages must be encoded as one segment.
 * https://docs.gitlab.com/api/rest/ https://docs.gitlab.com/api/rest/authentication/
 * https://docs.gitlab.com/api/repositories/ https://docs.gitlab.com/api/groups/#list-projects
 * https://docs.gitlab.com/api/group_members/ https://docs.gitlab.com/api/users/
 * https://docs.gitlab.com/api/graphql/reference/#queryusers
 */
export async function startGitlabServer({ pageSize = 100 }: GitlabServerOptions = {}): Promise<GitlabServer> {
  const token = `glpat-${randomUUID().replaceAll('-', '').slice(0, 20)}`;
  const model = createGitlabModel();
  const tokens = createPageTokens<number>();
  let origin = '';
  let isAdministrator = false;
  /** True if the administrator's token shows so, but lacks the rights. */
  let lacksAdminMode = false;
  let scopes: readonly string[] = ['read_api'];
  const responses = createResponses(model, () => `${origin}${ROOT}`);

  const linked = (request: PlatformRequest, body: unknown, next: Readonly<Record<string, string>> | undefined) => {
    const answer = jsonResponse(200, body);
    if (next === undefined) return answer;
    // GitLab names itself by its configured address, which a proxy can hide.
    const url = new URL(request.url, 'https://gitlab.internal');
    for (const [name, value] of Object.entries(next)) url.searchParams.set(name, value);
    const first = new URL(request.url, 'https://gitlab.internal');
    const link = `<${first.href}>; rel="first", <${url.href}>; rel="next"`;
    return { ...answer, headers: { ...answer.headers, link } };
  };

  /** A page by its number. Each entry becomes JSON only if it is on the page. */
  const page = <T>(request: PlatformRequest, all: readonly T[], toJson: (entry: T) => unknown): PlatformResponse => {
    const size = Math.min(countOf(request, 'per_page', 20), 100, pageSize);
    const number = countOf(request, 'page', 1);
    const entries = all.slice((number - 1) * size, number * size).map(toJson);
    const answer = linked(request, entries, all.length > number * size ? { page: `${number + 1}` } : undefined);
    const nextPage = all.length > number * size ? `${number + 1}` : '';
    return { ...answer, headers: { ...answer.headers, 'x-page': `${number}`, 'x-next-page': nextPage } };
  };

  /** A page by an opaque token. https://docs.gitlab.com/api/rest/#keyset-based-pagination */
  const keyset = <T>(
    request: PlatformRequest,
    list: { readonly name: string; readonly parameter: string },
    all: readonly T[],
    toJson: (entry: T) => unknown,
  ): PlatformResponse => {
    if (request.query.has('page')) invalid('page');
    const size = Math.min(countOf(request, 'per_page', 20), 100, pageSize);
    const given = request.query.get(list.parameter);
    const start = given === null ? 0 : (tokens.read(list.name, given) ?? invalid(list.parameter));
    const end = start + size;
    const next = all.length > end ? { [list.parameter]: tokens.issue(list.name, end) } : undefined;
    return linked(request, all.slice(start, end).map(toJson), next);
  };

  const tree = (request: PlatformRequest, { path: name, repository }: GitlabProject): PlatformResponse => {
    allow(request, ['ref', 'path', 'recursive', 'pagination', 'page_token']);
    if (oneOf(request, 'pagination', ['legacy', 'keyset']) !== 'keyset') invalid('pagination');
    const ref = request.query.get('ref') ?? repository.defaultBranch;
    const root = rootTree(repository, ref) ?? fail(404, 'Tree Not Found');
    const folder = request.query.get('path') ?? '';
    const isRecursive = oneOf(request, 'recursive', ['false', 'true']) === 'true';
    const all = entriesBelow(repository, root);
    if (folder !== '' && !all.some(({ path, type }) => path === folder && type === 'tree')) {
      fail(404, 'invalid revision or path Not Found');
    }
    const prefix = folder === '' ? '' : `${folder}/`;
    const below = all.filter(({ path }) => path.startsWith(prefix));
    const wanted = isRecursive ? below : below.filter(({ path }) => !path.slice(prefix.length).includes('/'));
    const list = { name: `${name} ${ref} ${folder} ${isRecursive}`, parameter: 'page_token' };
    return keyset(request, list, wanted, ({ path, mode, type, sha }) => ({
      ...{ id: sha, name: path.split('/').at(-1), type, path, mode },
    }));
  };

  const repository = (request: PlatformRequest, project: GitlabProject, [what, ref = '', raw]: readonly string[]) => {
    const { branches, commits, blobs } = project.repository;
    if (what === 'tree' && ref === '') return tree(request, project);
    if (what === 'commits') {
      allow(request, ['stats']);
      const id = branches.get(ref) ?? ref;
      return commits.has(id) ? jsonResponse(200, { id, short_id: id.slice(0, 8) }) : fail(404, 'Commit Not Found');
    }
    if (what === 'blobs' && raw === 'raw') {
      const bytes = blobs.get(ref) ?? fail(404, 'Blob Not Found');
      return { status: 200, headers: { 'content-type': 'application/octet-stream' }, body: bytes };
    }
    return fail(404, 'Not Found');
  };

  const isListed = (request: PlatformRequest) => {
    const times = (['created', 'updated'] as const).map((by) => [by, timeOf(request, `${by}_after`) ?? 0] as const);
    const numbers = request.query.getAll('iids[]');
    return (issuable: GitlabIssuable) =>
      times.every(([by, from]) => Date.parse(by === 'created' ? issuable.createdAt : issuable.updatedAt) >= from) &&
      (numbers.length === 0 || numbers.includes(String(issuable.iid))) &&
      (isAdministrator || model.users.get(issuable.author)?.state !== 'banned');
  };

  const issuables = (
    request: PlatformRequest,
    project: GitlabProject,
    kind: 'issues' | 'merge_requests',
    [number, what]: readonly string[],
  ): PlatformResponse => {
    const visible = project.levels[kind] === 'disabled' ? [] : project[kind];
    if (number === undefined) {
      allow(request, ['scope', 'state', 'order_by', 'sort', 'created_after', 'updated_after', 'iids[]']);
      // Without `scope`, GitLab lists only those that the account created.
      oneOf(request, 'scope', ['created_by_me', 'assigned_to_me', 'all']);
      if (request.query.get('scope') !== 'all') return jsonResponse(200, []);
      if (oneOf(request, 'state', ['all', 'opened', 'closed']) !== 'all') invalid('state');
      const order = oneOf(request, 'order_by', ['created_at', 'updated_at']);
      const direction = oneOf(request, 'sort', ['desc', 'asc']) === 'asc' ? 1 : -1;
      const keyOf = (each: GitlabIssuable) => (order === 'created_at' ? each.createdAt : each.updatedAt);
      const all = visible
        .filter(isListed(request))
        .sort((a, b) => direction * (Date.parse(keyOf(a)) - Date.parse(keyOf(b)) || a.iid - b.iid));
      return page(request, all, (each) => responses.issuable(project, kind, each));
    }
    const found = visible.find(({ iid }) => String(iid) === number) ?? fail(404, 'Not found');
    if (what === undefined) return jsonResponse(200, responses.issuable(project, kind, found));
    if (what !== 'notes') return fail(404, 'Not Found');
    allow(request, ['order_by', 'sort']);
    const isAscending = oneOf(request, 'sort', ['desc', 'asc']) === 'asc';
    const notes = found.notes.map((note, at) => [note, at + 1] as const);
    return page(request, isAscending ? notes : notes.reverse(), ([note, id]) => responses.note(note, id));
  };

  const wiki = (request: PlatformRequest, project: GitlabProject, [slug]: readonly string[]): PlatformResponse => {
    if (slug !== undefined) {
      const found = project.wiki.get(slug) ?? fail(404, 'Wiki Page Not Found');
      return jsonResponse(200, responses.wikiPage(slug, found, true));
    }
    allow(request, ['with_content']);
    const withContent = ['1', 'true'].includes(request.query.get('with_content') ?? '');
    // The list has no pages.
    return jsonResponse(
      200,
      [...project.wiki].map(([name, found]) => responses.wikiPage(name, found, withContent)),
    );
  };

  const inProject = (request: PlatformRequest, id: string, rest: readonly string[]): PlatformResponse => {
    const moved = model.redirects.get(id);
    if (moved !== undefined && rest.length === 0) {
      const target = model.find(moved);
      const location = `${origin}${ROOT}/api/v4/projects/${target.id}`;
      return { status: 301, headers: { location }, body: `This resource has been moved permanently to ${location}` };
    }
    const project =
      model.projects.find((each) => each.path.toLowerCase() === id.toLowerCase() || String(each.id) === id) ??
      fail(404, 'Project Not Found');
    if (!project.isVisible) fail(404, 'Project Not Found');
    const [what = '', ...below] = rest;
    const parts = {
      repository: 'repository',
      issues: 'issues',
      merge_requests: 'merge_requests',
      wikis: 'wiki',
    } as const;
    const part = Object.entries(parts).find(([name]) => name === what)?.[1];
    if (
      part !== undefined &&
      (project.forbidden.has(part) || (part !== 'issues' && project.levels[part] === 'disabled'))
    ) {
      fail(403, 'Forbidden');
    }
    switch (what) {
      case '':
        return jsonResponse(200, responses.project(project));
      case 'repository':
        return repository(request, project, below);
      case 'issues':
      case 'merge_requests':
        return issuables(request, project, what, below);
      case 'wikis':
        return wiki(request, project, below);
      case 'members':
        if (below[0] !== 'all' || project.forbidden.has('members')) return fail(403, 'Forbidden');
        allow(request, []);
        return page(request, project.members, responses.member);
      default:
        return fail(404, 'Not Found');
    }
  };

  const inGroup = (request: PlatformRequest, path: string, [what, ...below]: readonly string[]): PlatformResponse => {
    const shared = model.groups.get(path) ?? fail(404, 'Group Not Found');
    if (what === undefined) return jsonResponse(200, { id: 7, full_path: path });
    if (what === 'members' && below[0] === 'all') {
      // The members of a group are those of the groups above it too.
      const segments = path.split('/');
      const member = segments
        .flatMap((_, at) => model.groupMembers.get(segments.slice(0, at + 1).join('/')) ?? [])
        .findLast(({ user }) => String(user) === below[1]);
      return jsonResponse(200, responses.member(member ?? fail(404, 'Not found')));
    }
    if (what !== 'projects') return fail(404, 'Not Found');
    allow(request, ['include_subgroups', 'with_shared', 'order_by', 'sort']);
    const isDeep = oneOf(request, 'include_subgroups', ['false', 'true']) === 'true';
    const own = model.projects.filter(
      (each) => each.path.startsWith(`${path}/`) && (isDeep || !each.path.slice(path.length + 1).includes('/')),
    );
    const all = [...own, ...(oneOf(request, 'with_shared', ['true', 'false']) === 'true' ? shared : [])];
    if (oneOf(request, 'order_by', ['created_at', 'id']) === 'id') all.sort((a, b) => a.id - b.id);
    return page(
      request,
      all.filter(({ isVisible }) => isVisible),
      responses.project,
    );
  };

  const users = (request: PlatformRequest): PlatformResponse => {
    allow(request, ['active', 'order_by', 'sort', 'pagination', 'cursor']);
    if (oneOf(request, 'pagination', ['offset', 'keyset']) !== 'keyset') invalid('pagination');
    if (request.query.get('order_by') !== 'id' || request.query.get('sort') !== 'asc') invalid('order_by');
    const isActive = request.query.get('active') === 'true';
    const ids = [...model.users.values()].filter(({ state }) => !isActive || state === 'active').map(({ id }) => id);
    const toJson = (id: number) => (isAdministrator ? responses.directoryUser(id) : responses.user(id));
    return keyset(
      request,
      { name: 'users', parameter: 'cursor' },
      ids.sort((a, b) => a - b),
      toJson,
    );
  };

  const graphql = ({ method, body }: PlatformRequest): PlatformResponse => {
    if (method !== 'POST') return fail(404, 'Not Found');
    const { query, variables } = JSON.parse(body);
    const isKnown = /^query \(\$ids: \[ID!\]\) \{ users\(ids: \$ids, first: 100\) \{ nodes \{ id publicEmail \} \} \}$/;
    if (!isKnown.test(query)) return jsonResponse(200, { errors: [{ message: 'The query is not emulated.' }] });
    const ids: readonly string[] = variables.ids;
    if (ids.length > 100) return jsonResponse(200, { errors: [{ message: 'Too many ids.' }] });
    const nodes = ids.flatMap((gid) => {
      const id = /^gid:\/\/gitlab\/User\/(\d+)$/.exec(gid)?.[1];
      const user = model.users.get(Number(id));
      return user === undefined ? [] : [{ id: gid, publicEmail: user.publicEmail }];
    });
    return jsonResponse(200, { data: { users: { nodes } } });
  };

  const server = await startPlatformServer({
    refuse: (status, message) => jsonResponse(status, { message: `${status} ${message}` }),
    answer: (request) => {
      const { headers, method, url } = request;
      const given = headers.authorization?.replace(/^Bearer /, '') ?? headers['private-token'];
      if (given !== token) return jsonResponse(401, { message: '401 Unauthorized' });
      if (!scopes.includes('read_api') && !scopes.includes('api')) {
        const message = 'The request requires higher privileges than provided by the access token.';
        return jsonResponse(403, { error: 'insufficient_scope', error_description: message, scope: 'api read_api' });
      }
      // Encoded slashes are part of a segment.
      const path = url.split('?')[0] ?? '';
      if (path === `${ROOT}/api/graphql`) return graphql(request);
      const [start, ...segments] = path.slice(ROOT.length).split('/').slice(1).map(decodeURIComponent);
      const [version, area = '', id, ...rest] = segments;
      if (!path.startsWith(`${ROOT}/`) || start !== 'api' || version !== 'v4' || method !== 'GET') {
        return jsonResponse(404, { error: '404 Not Found' });
      }
      if (area === 'user' && id === undefined) {
        return jsonResponse(200, {
          ...responses.user(1),
          ...(isAdministrator || lacksAdminMode ? { is_admin: true } : {}),
        });
      }
      if (area === 'users' && id === undefined) return users(request);
      // Only for administrators in admin mode.
      if (area === 'users' && rest[0] === 'memberships') {
        return isAdministrator ? page(request, [], String) : jsonResponse(403, { message: '403 Forbidden' });
      }
      if (area === 'projects' && id !== undefined) return inProject(request, id, rest);
      if (area === 'groups' && id !== undefined) return inGroup(request, id, rest);
      return jsonResponse(404, { error: '404 Not Found' });
    },
  });
  origin = server.origin;

  return {
    ...server,
    token,
    instanceUrl: `${origin}${ROOT}`,
    model,
    setAdministrator: (next, { hasAdminMode = true } = {}) => {
      isAdministrator = next && hasAdminMode;
      lacksAdminMode = next && !hasAdminMode;
    },
    setScopes: (next) => {
      scopes = next;
    },
  };
}
