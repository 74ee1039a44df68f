import { createHash } from 'node:crypto';

export interface GitFile {
  readonly bytes: Uint8Array;
  /** 100644 file, 100755 executable, 120000 symbolic link, 160000 submodule. */
  readonly mode: string;
}

export interface GitEntry {
  readonly path: string;
  readonly mode: string;
  readonly type: 'blob' | 'tree' | 'commit';
  readonly sha: string;
  readonly size?: number;
}

export interface GitAccount {
  readonly id: number;
  readonly login: string;
  readonly email: string | null;
}

/** Files by their paths. */
type GitSnapshot = ReadonlyMap<string, GitFile>;

export interface GitRepository {
  readonly name: string;
  visibility: 'public' | 'private' | 'internal';
  defaultBranch: string;
  /** The commit of each branch. */
  readonly branches: Map<string, string>;
  readonly collaborators: GitAccount[];
  /** False if the token must not list the collaborators. */
  showsCollaborators: boolean;
  readonly commits: Map<string, GitSnapshot>;
  readonly trees: Map<string, readonly GitEntry[]>;
  readonly blobs: Map<string, Uint8Array>;
}

const sha1 = (text: string | Uint8Array) => createHash('sha1').update(text).digest('hex');
const gitHash = (type: string, content: Uint8Array | string) =>
  sha1(Buffer.concat([Buffer.from(`${type} ${Buffer.byteLength(content)}\0`), Buffer.from(content)]));

/** Stores the trees of a snapshot. Returns the hash of the root tree. */
function storeTrees(repository: GitRepository, files: readonly (readonly [string, GitFile])[]): string {
  const folders = new Map<string, [string, GitFile][]>();
  const entries: GitEntry[] = [];
  for (const [path, file] of files) {
    const slash = path.indexOf('/');
    if (slash >= 0) {
      const name = path.slice(0, slash);
      const inside = folders.get(name) ?? [];
      inside.push([path.slice(slash + 1), file]);
      folders.set(name, inside);
      continue;
    }
    const sha = gitHash('blob', file.bytes);
    repository.blobs.set(sha, file.bytes);
    const submodule = file.mode === '160000';
    entries.push({
      path,
      mode: file.mode,
      type: submodule ? 'commit' : 'blob',
      sha,
      ...(submodule ? {} : { size: file.bytes.byteLength }),
    });
  }
  for (const [path, inside] of folders) {
    entries.push({ path, mode: '040000', type: 'tree', sha: storeTrees(repository, inside) });
  }
  entries.sort((a, b) => Buffer.compare(Buffer.from(a.path), Buffer.from(b.path)));
  const sha = gitHash('tree', JSON.stringify(entries));
  repository.trees.set(sha, entries);
  return sha;
}

/** All entries below a tree, including folders, like `recursive=1`. */
export function entriesBelow(repository: GitRepository, tree: string, prefix = ''): GitEntry[] {
  return (repository.trees.get(tree) ?? []).flatMap((entry) => {
    const whole = { ...entry, path: `${prefix}${entry.path}` };
    return entry.type === 'tree' ? [whole, ...entriesBelow(repository, entry.sha, `${whole.path}/`)] : [whole];
  });
}

export function createRepository(name: string): GitRepository {
  return {
    name,
    visibility: 'private',
    defaultBranch: 'main',
    branches: new Map(),
    collaborators: [],
    showsCollaborators: true,
    commits: new Map(),
    trees: new Map(),
    blobs: new Map(),
  };
}

/** The root tree of a commit, or the tree itself. */
export function rootTree(repository: GitRepository, sha: string): string | undefined {
  const commit = repository.commits.get(repository.branches.get(sha) ?? sha);
  if (commit !== undefined) return storeTrees(repository, [...commit]);
  return repository.trees.has(sha) ? sha : undefined;
}

/** Commits the changes that `edit` makes to the files of a branch. */
export function commitTo(
  repository: GitRepository,
  branch: string,
  edit: (files: Map<string, GitFile>) => void,
): string {
  const parent = repository.branches.get(branch);
  const files = new Map(parent === undefined ? [] : repository.commits.get(parent));
  edit(files);
  const sha = sha1(`${parent} ${storeTrees(repository, [...files])} ${repository.commits.size}`);
  repository.commits.set(sha, files);
  repository.branches.set(branch, sha);
  return sha;
}
