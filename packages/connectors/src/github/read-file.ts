import { basename } from 'node:path/posix';
import type { ConnectorCall } from '#connector';
import { isLfsPointer } from '#git/lfs-pointer';
import type { GithubApi } from '#github/github-api';
import { type RepoName, textOfRepo } from '#github/item-id';
import type { SourceContent, SourceRef } from '#source';
import { SourceError } from '#source-error';

/** Verifies that the body is as long as in the tree, and not a Git LFS pointer. */
async function* checked(body: AsyncIterable<Uint8Array>, ref: SourceRef): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const piece of body) {
    if (bytes === 0 && isLfsPointer(piece)) {
      throw new SourceError('invalid', `${ref.path} is stored in Git LFS, which is not supported.`);
    }
    bytes += piece.byteLength;
    yield piece;
  }
  if (ref.sizeBytes !== undefined && bytes < ref.sizeBytes) {
    throw new SourceError('transient', `The download of ${ref.path} from GitHub was interrupted.`);
  }
}

/** Reads the content with the listed hash, even if a newer version was pushed since. */
export async function readFile(
  api: GithubApi,
  call: ConnectorCall,
  { repo, path, sha }: { readonly repo: RepoName; readonly path: string; readonly sha: string },
  ref: SourceRef,
): Promise<SourceContent> {
  const body = await api.blob(call, repo, sha, ref.path);
  return {
    body: checked(body, ref),
    version: sha,
    fileName: basename(path),
    metadata: { repository: textOfRepo(repo), path },
  };
}
