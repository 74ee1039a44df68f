import type { ConnectorCall } from '#connector';
import type { GithubApi, TreeEntry } from '#github/github-api';
import type { RepoName } from '#github/item-id';
import { type UnreadableEntry, wholeList } from '#http/entries';

const FILES: ReadonlySet<string> = new Set(['100644', '100755', '100664']);

/** Returns true for regular files: not symbolic links, submodules or folders. */
export const isFile = (entry: TreeEntry): boolean => entry.type === 'blob' && FILES.has(entry.mode);

export interface WalkResult {
  readonly whole: boolean;
  /**
   * Unreadable entries with their full paths. An unreadable entry in a folder can be a folder
   * itself.
   */
  readonly unreadable: readonly (UnreadableEntry & { readonly isFolder: boolean })[];
}

/**
 * Yields all files of a commit in a stable order. Usually one request is enough; if GitHub
 * truncates the response, folders are requested one by one.
 */
export async function* walkTree(
  api: GithubApi,
  call: ConnectorCall,
  repo: RepoName,
  sha: string,
  folder = '',
): AsyncGenerator<TreeEntry, WalkResult, void> {
  const pathOf = (entry: TreeEntry) => `${folder}${entry.path}`;
  const placed = (entry: UnreadableEntry, isFolder: boolean) => ({
    ...entry,
    id: entry.id === undefined ? undefined : `${folder}${entry.id}`,
    isFolder,
  });
  const all = await api.tree(call, repo, sha, true);
  if (!all.truncated) {
    for (const entry of all.tree.items) if (isFile(entry)) yield { ...entry, path: pathOf(entry) };
    return { whole: true, unreadable: all.tree.unreadable.map((entry) => placed(entry, false)) };
  }
  const direct = await api.tree(call, repo, sha, false);
  let whole = !direct.truncated;
  const unreadable = direct.tree.unreadable.map((entry) => placed(entry, true));
  for (const entry of direct.tree.items) {
    if (isFile(entry)) yield { ...entry, path: pathOf(entry) };
    if (entry.type !== 'tree') continue;
    const below = yield* walkTree(api, call, repo, entry.sha, `${pathOf(entry)}/`);
    whole &&= below.whole;
    unreadable.push(...below.unreadable);
  }
  return { whole, unreadable };
}

/** Finds one entry by its path, folder by folder. */
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
    const entry = tree.items.find((candidate) => candidate.path === part);
    // An unreadable entry still exists, so it must not count as deleted.
    if (entry === undefined) wholeList(tree, `the folder of ${path}`);
    if (entry === undefined || at === parts.length - 1) return entry && { ...entry, path };
    if (entry.type !== 'tree') return undefined;
    sha = entry.sha;
  }
  return undefined;
}
