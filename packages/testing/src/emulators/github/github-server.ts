import { randomUUID } from 'node:crypto';
import {
  commitTo,
  createRepository,
  entriesBelow,
  type GitAccount,
  type GitFile,
  type GitRepository,
  rootTree,
} from '#emulators/github/git-model';
import {
  jsonResponse,
  PlatformError,
  type PlatformRequest,
  type PlatformResponse,
  type PlatformServer,
  startPlatformServer,
} from '#emulators/platform/platform-server';

export interface GithubServer extends PlatformServer {
  readonly token: string;
  /** The address of the REST API. */
  readonly apiUrl: string;
  repository(name: string): GitRepository;
  dropRepository(name: string): void;
  /** Commits to the default branch: content by path, null to delete, or a file with its mode. */
  commit(name: string, changes: Readonly<Record<string, string | null | GitFile>>, branch?: string): string;
  /** The maximum number of entries in a tree response; initially 100,000. */
  setTreeLimit(entries: number): void;
  /** The members of organizations by name. */
  readonly organizations: Map<string, GitAccount[]>;
  /** Removes a commit, like after a force push. */
  forgetCommit(name: string, sha: string): void;
}

const LIMIT = { 'x-ratelimit-limit': '5000', 'x-ratelimit-remaining': '4987', 'x-ratelimit-resource': 'core' };

function refuse(status: number, message: string): PlatformResponse {
  const secondary = status === 429 || status === 403;
  const text = secondary ? 'You have exceeded a secondary rate limit. Please wait a few minutes.' : message;
  return jsonResponse(
    status,
    { message: text, documentation_url: 'https://docs.github.com/rest', status: `${status}` },
    LIMIT,
  );
}
const plain = (status: number, message: string) => jsonResponse(status, { message, status: `${status}` }, LIMIT);
const fail = (status: number, message: string): never => {
  throw new PlatformError(plain(status, message));
};

/** The parts of GitHub's REST API that read repositories, at `/api/v3` as on an Enterprise Server. */
export async function startGithubServer(): Promise<GithubServer> {
  const token = `ghp_${randomUUID().replaceAll('-', '')}`;
  const repositories = new Map<string, GitRepository>();
  const organizations = new Map<string, GitAccount[]>();
  let treeLimit = 100_000;
  let origin = '';

  const find = (name: string): GitRepository => repositories.get(name.toLowerCase()) ?? fail(404, 'Not Found');

  const page = <T>({ query, url }: PlatformRequest, all: readonly T[]): PlatformResponse => {
    const size = Math.min(Number(query.get('per_page') ?? 30), 2);
    const number = Number(query.get('page') ?? 1);
    const next = new URL(url, origin);
    next.searchParams.set('page', `${number + 1}`);
    const more = all.length > number * size;
    const answer = jsonResponse(200, all.slice((number - 1) * size, number * size), LIMIT);
    return more ? { ...answer, headers: { ...answer.headers, link: `<${next.href}>; rel="next"` } } : answer;
  };

  const tree = (repository: GitRepository, sha: string, recursive: boolean): PlatformResponse => {
    if (repository.commits.size === 0) return plain(409, 'Git Repository is empty.');
    const root = rootTree(repository, sha);
    if (root === undefined) return plain(404, 'Not Found');
    const all = recursive ? entriesBelow(repository, root) : (repository.trees.get(root) ?? []);
    return jsonResponse(200, { sha: root, tree: all.slice(0, treeLimit), truncated: all.length > treeLimit }, LIMIT);
  };

  const inRepository = (
    request: PlatformRequest,
    repository: GitRepository,
    rest: readonly string[],
  ): PlatformResponse => {
    const [what = '', second = '', third = ''] = rest;
    const name = rest.slice(1).join('/');
    const { name: full_name, visibility } = repository;
    if (what === '') {
      const html_url = `${origin}/${full_name}`;
      const facts = { id: 1, full_name, private: visibility !== 'public', visibility, html_url };
      return jsonResponse(200, { ...facts, default_branch: repository.defaultBranch }, LIMIT);
    }
    if (what === 'branches') {
      const sha = repository.branches.get(name);
      return sha === undefined ? plain(404, 'Branch not found') : jsonResponse(200, { name, commit: { sha } }, LIMIT);
    }
    if (what === 'commits') {
      if (repository.commits.size === 0) return plain(409, 'Git Repository is empty.');
      const sha = repository.branches.get(name) ?? name;
      return repository.commits.has(sha)
        ? jsonResponse(200, { sha }, LIMIT)
        : plain(422, `No commit found for SHA: ${name}`);
    }
    if (what === 'git' && second === 'trees') return tree(repository, third, request.query.has('recursive'));
    if (what === 'git' && second === 'blobs') {
      const bytes = repository.blobs.get(third);
      if (bytes === undefined) return plain(404, 'Not Found');
      if (request.headers.accept === 'application/vnd.github.raw+json') {
        return { status: 200, headers: { ...LIMIT, 'content-type': 'application/vnd.github.raw+json' }, body: bytes };
      }
      const content = Buffer.from(bytes).toString('base64');
      return jsonResponse(200, { sha: third, size: bytes.byteLength, content, encoding: 'base64' }, LIMIT);
    }
    if (what === 'collaborators') {
      if (!repository.showsCollaborators) return plain(403, 'Must have push access to view repository collaborators.');
      return page(
        request,
        repository.collaborators.map(({ id, login }) => ({ id, login })),
      );
    }
    return plain(404, 'Not Found');
  };

  const server = await startPlatformServer({
    refuse,
    answer: (request) => {
      const { headers, path, method } = request;
      if (headers['user-agent'] === undefined) return plain(403, 'Request forbidden by administrative rules.');
      if (!/^(bearer|token) /i.test(headers.authorization ?? '')) return plain(401, 'Requires authentication');
      if (headers.authorization?.replace(/^\S+ /, '') !== token) return plain(401, 'Bad credentials');
      if (method !== 'GET' || !path.startsWith('/api/v3/')) return plain(404, 'Not Found');
      const [root, first = '', second = '', ...rest] = path.slice('/api/v3/'.length).split('/');
      if (root === 'repos') return inRepository(request, find(`${first}/${second}`), rest);
      if (root === 'orgs' && second === 'members')
        return page(request, organizations.get(first) ?? fail(404, 'Not Found'));
      const everyone = [...repositories.values()].flatMap(({ collaborators }) => collaborators);
      const account = [...everyone, ...[...organizations.values()].flat()].find(({ login }) => login === first);
      return root === 'users' && account !== undefined ? jsonResponse(200, account, LIMIT) : plain(404, 'Not Found');
    },
  });
  origin = server.origin;

  const toFile = (file: string | GitFile): GitFile =>
    typeof file === 'string' ? { bytes: Buffer.from(file), mode: '100644' } : file;

  return {
    ...server,
    token,
    apiUrl: `${origin}/api/v3`,
    organizations,
    repository: (name) => {
      const repository = repositories.get(name.toLowerCase()) ?? createRepository(name);
      repositories.set(name.toLowerCase(), repository);
      return repository;
    },
    dropRepository: (name) => repositories.delete(name.toLowerCase()),
    commit: (name, changes, branch) => {
      const repository = find(name);
      return commitTo(repository, branch ?? repository.defaultBranch, (files) => {
        for (const [path, content] of Object.entries(changes)) {
          if (content === null) files.delete(path);
          else files.set(path, toFile(content));
        }
      });
    },
    setTreeLimit: (entries) => {
      treeLimit = entries;
    },
    forgetCommit: (name, sha) => find(name).commits.delete(sha),
  };
}
