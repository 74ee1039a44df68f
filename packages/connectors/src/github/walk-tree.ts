import type { ConnectorCall } from '../connector.ts';
import type { GithubApi, TreeEntry } from './github-api.ts';
import type { RepoName } from './item-id.ts';

const FILES: ReadonlySet<string> = new Set(['100644', '100755', '100664']);

/** A file that holds content: no symbolic link, no submodule, no folder. */
export const isFile = (entry: TreeEntry): boolean => entry.type === 'blob' && FILES.has(entry.mode);

export interface WalkResult {
  readonly whole: boolean;
}

/**
 * All files of a commit, in an order that depends on the commit alone. One answer holds a repository of usual size; where GitHub cuts it
 * off, folders are asked for one by one. Returns whether they are all.
 */
export async function* walkTree(
  api: GithubApi,
  call: ConnectorCall,
  repo: RepoName,
  sha: string,
  folder = '',
): AsyncGenerator<TreeEntry, WalkResult, void> {
  const pathOf = (entry: TreeEntry) => `${folder}${entry.path}`;
  const all = await api.tree(call, repo, sha, true);
  if (!all.truncated) {
    for (const entry of all.tree) if (isFile(entry)) yield { ...entry, path: pathOf(entry) };
    return { whole: true };
  }
  const own = await api.tree(call, repo, sha, false);
  let whole = !own.truncated;
  for (const entry of own.tree) {
    if (isFile(entry)) yield { ...entry, path: pathOf(entry) };
    if (entry.type !== 'tree') continue;
    const below = yield* walkTree(api, call, repo, entry.sha, `${pathOf(entry)}/`);
    whole &&= below.whole;
  }
  return { whole };
}

/** One entry by its path, folder by folder; undefined where there is none. */
export async function findEntry(
  api: GithubApi,
  call: ConnectorCall,
  repo: RepoName,
  commit: string,
  path: string,
): Promise<TreeEntry | undefined> {
  let sha = commit;
  const parts = path.split('/');
  for (const [at, part] of parts.entries()) {
    const { tree } = await api.tree(call, repo, sha, false);
    const entry = tree.find((candidate) => candidate.path === part);
    if (entry === undefined || at === parts.length - 1) return entry && { ...entry, path };
    if (entry.type !== 'tree') return undefined;
    sha = entry.sha;
  }
  return undefined;
}
