import { basename } from 'node:path/posix';
import type { ConnectorCall } from '../connector.ts';
import type { SourceContent, SourceRef } from '../source.ts';
import { SourceError } from '../source-error.ts';
import type { GithubApi } from './github-api.ts';
import { isLfsPointer } from './github-error.ts';
import { type RepoName, textOfRepo } from './item-id.ts';

/** The pieces, checked: as many bytes as the tree said, and content rather than a pointer to it. */
async function* checked(body: AsyncIterable<Uint8Array>, ref: SourceRef): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const piece of body) {
    if (bytes === 0 && isLfsPointer(piece)) {
      throw new SourceError('invalid', `${ref.path} is kept in Git LFS, which Lectern does not read.`);
    }
    bytes += piece.byteLength;
    yield piece;
  }
  if (ref.sizeBytes !== undefined && bytes < ref.sizeBytes) {
    throw new SourceError('transient', `GitHub broke off in the middle of ${ref.path}.`);
  }
}

/** The content with the hash that the listing told: what the file was then, whatever was pushed since. */
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
