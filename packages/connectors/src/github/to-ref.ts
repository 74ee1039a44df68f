import { basename } from 'node:path/posix';
import type { Repository, TreeEntry } from '#github/github-api';
import { itemId, type RepoName, textOfRepo } from '#github/item-id';
import type { SourceRef } from '#source';

/**
 * Converts a file to an item. The version is its content hash; the URL shows the file at this
 * commit.
 */
export function refOfEntry(repository: Repository, repo: RepoName, commit: string, entry: TreeEntry): SourceRef {
  const path = entry.path.split('/').map(encodeURIComponent).join('/');
  return {
    id: itemId(repo, entry.path),
    path: `${textOfRepo(repo)}/${entry.path}`,
    version: entry.sha,
    title: basename(entry.path),
    url: repository.html_url && `${repository.html_url}/blob/${commit}/${path}`,
    sizeBytes: entry.size,
  };
}
