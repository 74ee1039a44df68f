import { z } from 'zod';
import type { ConnectorCall } from '#connector';
import { githubError } from '#github/github-error';
import type { RepoName } from '#github/item-id';
import type { ConnectorHost } from '#host';
import { createSourceHttp } from '#http/create-source-http';
import { type Entries, entriesOf } from '#http/entries';
import { SourceError } from '#source-error';

const Repository = z.object({
  private: z.boolean().default(true),
  visibility: z.string().optional(),
  default_branch: z.string().default('main'),
  html_url: z.string().optional(),
});
export type Repository = z.infer<typeof Repository>;

const Commit = z.object({ sha: z.string() });
const Branch = z.object({ commit: Commit });

const TreeEntry = z.object({
  path: z.string(),
  mode: z.string(),
  type: z.string(),
  sha: z.string(),
  size: z.number().optional(),
});
export type TreeEntry = z.infer<typeof TreeEntry>;
const Tree = z.object({ tree: entriesOf(TreeEntry, { id: 'path' }), truncated: z.boolean().default(false) });
type Tree = z.infer<typeof Tree>;

const Account = z.object({ id: z.number(), login: z.string(), email: z.string().nullish() });
export type Account = z.infer<typeof Account>;

const PAGE = 100;
const MAX_PAGES = 1_000;

/** The requests to GitHub's REST API that read repositories. */
export interface GithubApi {
  repository(call: ConnectorCall, repo: RepoName): Promise<Repository>;
  /** Returns the commit of a branch, tag or commit name. Throws `EmptyRepository`. */
  commit(call: ConnectorCall, repo: RepoName, name: string): Promise<string>;
  tree(call: ConnectorCall, repo: RepoName, sha: string, recursive: boolean): Promise<Tree>;
  blob(call: ConnectorCall, repo: RepoName, sha: string, what: string): Promise<AsyncIterable<Uint8Array>>;
  collaborators(call: ConnectorCall, repo: RepoName): Promise<readonly Account[]>;
  members(call: ConnectorCall, organization: string): Promise<readonly Account[]>;
  user(call: ConnectorCall, login: string): Promise<Account>;
}

export function createGithubApi(host: Pick<ConnectorHost, 'egress' | 'addresses'>, token: string): GithubApi {
  const base = host.addresses.github.replace(/\/+$/, '');
  const http = createSourceHttp({
    fetch: host.egress.trusting([new URL(base).origin]).fetch,
    platform: 'GitHub',
    errorOf: githubError,
  });
  const headers = {
    authorization: `Bearer ${token}`,
    accept: 'application/vnd.github+json',
    'x-github-api-version': '2022-11-28',
  };
  const pathOf = ({ owner, name }: RepoName) => `/repos/${encodeURIComponent(owner)}/${encodeURIComponent(name)}`;
  const get = async <T>(call: ConnectorCall, path: string, schema: z.ZodType<T>, what: string) =>
    http.json(call, { url: `${base}${path}`, headers, what }, schema);

  const all = async <T>(call: ConnectorCall, path: string, schema: z.ZodType<T>, what: string): Promise<T[]> => {
    const found: T[] = [];
    let next: string | undefined = `${path}${path.includes('?') ? '&' : '?'}per_page=${PAGE}`;
    for (let page = 0; next !== undefined && page < MAX_PAGES; page += 1) {
      const response: { value: Entries<T>; headers: Headers } = await get(call, next, entriesOf(schema), what);
      // An unreadable account gets no access.
      found.push(...response.value.items);
      next = nextPage(response.headers, base);
    }
    return found;
  };

  return {
    repository: async (call, repo) =>
      (await get(call, pathOf(repo), Repository, `the repository ${repo.owner}/${repo.name}`)).value,
    commit: async (call, repo, name) => {
      const what = `the branch ${name} of ${repo.owner}/${repo.name}`;
      const part = encodeURIComponent(name);
      try {
        return (await get(call, `${pathOf(repo)}/branches/${part}`, Branch, what)).value.commit.sha;
      } catch (error) {
        if (!(error instanceof SourceError) || error.kind !== 'gone') throw error;
        // A tag, a commit, or an empty repository.
        return (await get(call, `${pathOf(repo)}/commits/${part}`, Commit, what)).value.sha;
      }
    },
    tree: async (call, repo, sha, recursive) => {
      const path = `${pathOf(repo)}/git/trees/${encodeURIComponent(sha)}${recursive ? '?recursive=1' : ''}`;
      return (await get(call, path, Tree, `a folder of ${repo.owner}/${repo.name}`)).value;
    },
    blob: async (call, repo, sha, what) => {
      const accept = 'application/vnd.github.raw+json';
      const url = `${base}${pathOf(repo)}/git/blobs/${encodeURIComponent(sha)}`;
      return (await http.download(call, { url, headers: { ...headers, accept }, what })).value;
    },
    collaborators: (call, repo) =>
      all(
        call,
        `${pathOf(repo)}/collaborators?affiliation=all`,
        Account,
        `the collaborators of ${repo.owner}/${repo.name}`,
      ),
    members: (call, organization) =>
      all(call, `/orgs/${encodeURIComponent(organization)}/members`, Account, `the members of ${organization}`),
    user: async (call, login) =>
      (await get(call, `/users/${encodeURIComponent(login)}`, Account, `the user ${login}`)).value,
  };
}

/**
 * Returns the path of the next page. It must be on the same server, because the request includes
 * the token.
 */
function nextPage(headers: Headers, base: string): string | undefined {
  const url = /<([^>]+)>;\s*rel="next"/.exec(headers.get('link') ?? '')?.[1];
  if (url === undefined) return undefined;
  if (url.startsWith(`${base}/`)) return url.slice(base.length);
  throw new SourceError('invalid', 'GitHub returned a next page on another server. Check the URL of the GitHub API.');
}
