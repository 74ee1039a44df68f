import { z } from 'zod';
import type { ConnectorCall } from '#connector';
import type { GithubApi, TreeEntry } from '#github/github-api';
import { itemId, type RepoName, textOfRepo } from '#github/item-id';
import { headCommits } from '#github/list-files';
import type { Readable } from '#github/readable';
import { refOfEntry } from '#github/to-ref';
import { walkTree } from '#github/walk-tree';
import type { SourceEvent } from '#source';
import { SourceError } from '#source-error';

/** The commit of each repository; null for an empty one. */
const Cursor = z.record(z.string(), z.string().nullable());

/** Returns the cursor for the current commits. */
export const readCursor = async (api: GithubApi, call: ConnectorCall, readable: Readable): Promise<string> =>
  JSON.stringify(await headCommits(api, call, readable));

const forgotten = (repo: RepoName) =>
  new SourceError('gone', `GitHub could not list the changes in ${textOfRepo(repo)}. A full sync is needed.`);

async function filesAt(
  api: GithubApi,
  call: ConnectorCall,
  repo: RepoName,
  commit: string | null,
): Promise<Map<string, TreeEntry>> {
  const files = new Map<string, TreeEntry>();
  if (commit === null) return files;
  const walk = walkTree(api, call, repo, commit);
  for (;;) {
    const next = await walk.next();
    if (next.done) {
      if (!next.value.whole || next.value.unreadable.length > 0) throw forgotten(repo);
      return files;
    }
    files.set(next.value.path, next.value);
  }
}

async function* diff(
  api: GithubApi,
  call: ConnectorCall,
  readable: Readable,
  repo: RepoName,
  [from, to]: readonly [string | null, string | null],
): AsyncGenerator<SourceEvent, void, void> {
  const before = await filesAt(api, call, repo, from).catch((error: unknown) => {
    const lost = error instanceof SourceError && (error.kind === 'gone' || error.kind === 'invalid');
    throw lost ? forgotten(repo) : error;
  });
  const after = await filesAt(api, call, repo, to);
  const repository = await api.repository(call, repo);
  for (const [path, entry] of after) {
    if (!readable.has(path) || before.get(path)?.sha === entry.sha || to === null) continue;
    yield { type: 'item', ref: refOfEntry(repository, repo, to, entry) };
  }
  for (const path of before.keys()) {
    if (readable.has(path) && !after.has(path)) yield { type: 'gone', id: itemId(repo, path) };
  }
}

/**
 * Yields the changes between two commits, from their trees: content hashes show changes, and paths
 * show deletions, also after a force push. (GitHub's own comparison is limited to 300 files.)
 * Throws `gone` if the old commit is missing or the selected repositories changed.
 */
export async function* readChanges(
  api: GithubApi,
  call: ConnectorCall,
  readable: Readable,
  from: string,
): AsyncGenerator<SourceEvent, void, void> {
  const before = Cursor.parse(JSON.parse(from));
  const after = await headCommits(api, call, readable);
  const current = { ...before };
  const names = readable.repos.map(textOfRepo);
  if (Object.keys(before).some((name) => !names.includes(name))) {
    throw new SourceError('gone', 'The selected repositories changed. A full sync is needed.');
  }
  for (const repo of readable.repos) {
    const name = textOfRepo(repo);
    const [at, to] = [before[name], after[name]];
    if (at === undefined || to === undefined) throw forgotten(repo);
    if (at !== to) yield* diff(api, call, readable, repo, [at, to]);
    current[name] = to;
    yield { type: 'checkpoint', at: JSON.stringify(current) };
  }
  yield { type: 'complete', authoritative: false };
}
