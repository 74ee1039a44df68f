import { z } from 'zod';
import type { ConnectorCall } from '#connector';
import type { GithubApi } from '#github/github-api';
import { EmptyRepository } from '#github/github-error';
import { itemId, type RepoName, textOfRepo } from '#github/item-id';
import type { Readable } from '#github/readable';
import { refOfEntry } from '#github/to-ref';
import { walkTree } from '#github/walk-tree';
import { failedEntry } from '#http/entries';
import type { SourceEvent } from '#source';
import { SourceError } from '#source-error';

const FILES_BETWEEN_CHECKPOINTS = 500;

/** The position of a listing: repository, commit, and number of files already listed. */
const Checkpoint = z.object({
  repo: z.string(),
  commit: z.string().optional(),
  files: z.number(),
  /** True if an earlier repository could not be listed completely. */
  partial: z.boolean(),
});
type Checkpoint = z.infer<typeof Checkpoint>;

const isKind = (error: unknown, ...kinds: readonly SourceError['kind'][]): error is SourceError =>
  error instanceof SourceError && kinds.includes(error.kind);

/** Returns the commit to list; undefined for an empty repository. */
async function headOf(api: GithubApi, call: ConnectorCall, repo: RepoName, branch: string | undefined) {
  const repository = await api.repository(call, repo);
  try {
    const commit = await api.commit(call, repo, branch ?? repository.default_branch);
    return { repository, commit };
  } catch (error) {
    if (error instanceof EmptyRepository) return { repository, commit: undefined };
    throw error;
  }
}

/** Lists the repositories one after another, each at a single commit. */
export async function* listFiles(
  api: GithubApi,
  call: ConnectorCall,
  readable: Readable,
  from: string | undefined,
): AsyncGenerator<SourceEvent, void, void> {
  const { repos } = readable;
  const resumed = from === undefined ? undefined : Checkpoint.parse(JSON.parse(from));
  const start = repos.findIndex((repo) => textOfRepo(repo) === resumed?.repo);
  let partial = resumed !== undefined && start >= 0 ? resumed.partial : false;
  for (const [at, repo] of repos.slice(Math.max(start, 0)).entries()) {
    const checkpoint = at === 0 && start >= 0 ? resumed : undefined;
    if (at > 0) yield { type: 'checkpoint', at: JSON.stringify({ repo: textOfRepo(repo), files: 0, partial }) };
    partial = yield* listRepository(api, call, readable, repo, { partial, from: checkpoint });
  }
  yield { type: 'complete', authoritative: !partial };
}

interface Place {
  readonly partial: boolean;
  readonly from: Checkpoint | undefined;
}

/** Lists one repository; returns true if the listing is incomplete so far. */
async function* listRepository(
  api: GithubApi,
  call: ConnectorCall,
  readable: Readable,
  repo: RepoName,
  { partial, from }: Place,
): AsyncGenerator<SourceEvent, boolean, void> {
  const name = textOfRepo(repo);
  try {
    const head = await headOf(api, call, repo, readable.branch);
    const commit = from?.commit ?? head.commit;
    if (commit === undefined) return partial;
    const files = walkTree(api, call, repo, commit);
    let seen = 0;
    for (;;) {
      const next = await files.next();
      if (next.done) {
        for (const entry of next.value.unreadable) {
          const id = entry.id === undefined ? undefined : itemId(repo, entry.id);
          yield failedEntry(entry, { id, what: `the files of ${name}`, hides: entry.isFolder });
        }
        return partial || !next.value.whole;
      }
      seen += 1;
      if (seen <= (from?.files ?? 0)) continue;
      const entry = next.value;
      if (readable.has(entry.path)) yield { type: 'item', ref: refOfEntry(head.repository, repo, commit, entry) };
      if (seen % FILES_BETWEEN_CHECKPOINTS === 0) {
        yield { type: 'checkpoint', at: JSON.stringify({ repo: name, commit, files: seen, partial }) };
      }
    }
  } catch (error) {
    // After a force push, the pinned commit can be missing: list the repository at its current
    // commit.
    if (from?.commit !== undefined && isKind(error, 'gone', 'invalid')) {
      return yield* listRepository(api, call, readable, repo, { partial, from: undefined });
    }
    if (!isKind(error, 'gone', 'forbidden', 'invalid')) throw error;
    // An inaccessible repository does not affect the others, and none of its files are deleted.
    yield { type: 'failed', id: name, path: name, error: { code: error.kind, message: error.message } };
    return true;
  }
}

/**
 * Returns the current commit of each repository by name; null for an empty one. Inaccessible ones
 * are left out.
 */
export async function headCommits(
  api: GithubApi,
  call: ConnectorCall,
  { repos, branch }: Readable,
): Promise<Record<string, string | null>> {
  const heads: Record<string, string | null> = {};
  for (const repo of repos) {
    try {
      heads[textOfRepo(repo)] = (await headOf(api, call, repo, branch)).commit ?? null;
    } catch (error) {
      if (!isKind(error, 'gone', 'forbidden')) throw error;
    }
  }
  return heads;
}
