export interface RepoName {
  readonly owner: string;
  readonly name: string;
}

/** `owner/repo`. */
export const textOfRepo = ({ owner, name }: RepoName): string => `${owner}/${name}`;

/** Parses `owner/repo`. */
export function parseRepo(text: string): RepoName {
  const [owner = '', name = ''] = text.split('/');
  return { owner, name };
}

/** Returns an item's id: `owner/repo:path`. */
export const itemId = (repo: RepoName, path: string): string => `${textOfRepo(repo)}:${path}`;

/** Returns the configured repository and the path in an id; undefined for any other repository. */
export function parseItemId(
  id: string,
  repos: readonly RepoName[],
): { readonly repo: RepoName; readonly path: string } | undefined {
  const colon = id.indexOf(':');
  const text = id.slice(0, Math.max(colon, 0)).toLowerCase();
  const repo = repos.find((candidate) => textOfRepo(candidate).toLowerCase() === text);
  const path = id.slice(colon + 1);
  return repo === undefined || path === '' ? undefined : { repo, path };
}
