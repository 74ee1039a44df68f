import { z } from 'zod';
import type { ConnectorCall } from '#connector';
import type { Project } from '#gitlab/gitlab-schemas';
import { itemId } from '#gitlab/item-id';
import { fileRef } from '#gitlab/item-refs';
import { filesAt, headOf } from '#gitlab/list-files';
import { listIssuables } from '#gitlab/list-issuables';
import { listWiki } from '#gitlab/list-wiki';
import { failedPart, type PartEvent } from '#gitlab/part-event';
import { findProjects, hasPart, isKind, isWanted, type Scope } from '#gitlab/scope';
import type { SourceEvent } from '#source';
import { SourceError } from '#source-error';

/** The clocks can differ, and transactions end after the time that they store: an hour is read again. */
const OVERLAP_MS = 60 * 60_000;

const ProjectCursor = z.object({
  /** The commit whose files were read; undefined for none. */
  commit: z.string().optional(),
  /** Changes of issues and merge requests before this time were reported. ISO 8601. */
  since: z.iso.datetime().optional(),
});
type ProjectCursor = z.infer<typeof ProjectCursor>;

/** The position in each project, by id. */
const Cursor = z.record(z.string(), ProjectCursor);

/** Returns the commit to read; undefined if there is no readable repository. */
async function commitOf(scope: Scope, call: ConnectorCall, project: Project): Promise<string | undefined> {
  if (!hasPart(scope, project, 'repository')) return undefined;
  try {
    return await headOf(scope, call, project);
  } catch (error) {
    if (isKind(error, 'gone', 'forbidden')) return undefined;
    throw error;
  }
}

/** Returns the cursor for changes from now on. */
export async function readCursor(scope: Scope, call: ConnectorCall): Promise<string> {
  await scope.api.checkLogin(call);
  const since = new Date().toISOString();
  const cursor: Record<string, ProjectCursor> = {};
  for (const project of (await findProjects(scope, call)).projects) {
    cursor[project.id] = { commit: await commitOf(scope, call, project), since };
  }
  return JSON.stringify(cursor);
}

const forgotten = (project: Project) =>
  new SourceError('gone', `GitLab could not list the changes in ${project.path}. A full sync is needed.`);

/** Compares the trees of two commits: hashes show changes, and paths deletions, also after a force push. */
async function* changedFiles(
  scope: Scope,
  call: ConnectorCall,
  project: Project,
  [from, to]: readonly [string | undefined, string | undefined],
): AsyncGenerator<PartEvent, void, void> {
  if (from === to) return;
  const before = await filesAt(scope.api, call, project, from).catch((error: unknown) => {
    throw isKind(error, 'gone', 'invalid') ? forgotten(project) : error;
  });
  const after = await filesAt(scope.api, call, project, to);
  for (const [path, entry] of after) {
    if (to === undefined || !isWanted(scope, path) || before.get(path)?.id === entry.id) continue;
    yield { type: 'item', ref: fileRef(project, to, entry) };
  }
  for (const path of before.keys()) {
    if (after.has(path) || !isWanted(scope, path)) continue;
    yield { type: 'gone', id: itemId({ project: project.path, part: 'repository', path }) };
  }
}

/**
 * Yields the changes of a project, and returns false if the updates of issues or merge requests could
 * not be read. GitLab has no feed for wikis: all pages are listed.
 */
async function* changesOf(
  scope: Scope,
  call: ConnectorCall,
  project: Project,
  { from, to }: { readonly from: ProjectCursor; readonly to: ProjectCursor },
): AsyncGenerator<SourceEvent, boolean, void> {
  const after = from.since && new Date(Date.parse(from.since) - OVERLAP_MS).toISOString();
  const start = after === undefined ? undefined : { after, page: 1, seen: [] };
  const lists = {
    repository: () => changedFiles(scope, call, project, [from.commit, to.commit]),
    issues: () => listIssuables(scope.api, call, project, { part: 'issues', by: 'updated', from: start }),
    merge_requests: () =>
      listIssuables(scope.api, call, project, { part: 'merge_requests', by: 'updated', from: start }),
    wiki: () => listWiki(scope.api, call, project),
  } as const;
  let hasUpdates = true;
  for (const part of scope.parts.filter((each) => hasPart(scope, project, each))) {
    try {
      for await (const event of lists[part]()) if (event.type !== 'position') yield event;
    } catch (error) {
      // Missing changes of files can only be found by a full listing.
      if (part === 'repository' || !isKind(error, 'gone', 'forbidden', 'invalid')) throw error;
      yield failedPart(project, part, error);
      hasUpdates &&= part === 'wiki';
    }
  }
  return hasUpdates;
}

/**
 * Yields the changes since a cursor: files between two commits, and updated issues and merge
 * requests. Only a full listing detects deleted issues, merge requests and wiki pages. Throws `gone`
 * if the selected projects changed or an old commit is missing.
 */
export async function* readChanges(
  scope: Scope,
  call: ConnectorCall,
  cursor: string,
): AsyncGenerator<SourceEvent, void, void> {
  const before = Cursor.parse(JSON.parse(cursor));
  await scope.api.checkLogin(call);
  const { projects, failures } = await findProjects(scope, call);
  yield* failures;
  const ids = new Set(projects.map(({ id }) => String(id)));
  if (Object.keys(before).some((id) => !ids.has(id))) {
    throw new SourceError('gone', 'The selected projects changed. A full sync is needed.');
  }
  const current = { ...before };
  for (const project of projects) {
    const from = before[project.id] ?? {};
    const since = new Date().toISOString();
    const to = { commit: await commitOf(scope, call, project), since };
    // Without the current commit, it is unknown which files were deleted.
    if (from.commit !== undefined && to.commit === undefined) throw forgotten(project);
    const hasUpdates = yield* changesOf(scope, call, project, { from, to });
    // The next job reads the updates that this one could not.
    current[project.id] = hasUpdates ? to : { ...to, since: from.since };
    yield { type: 'checkpoint', at: JSON.stringify(current) };
  }
  if (projects.length === 0) yield { type: 'checkpoint', at: cursor };
  yield { type: 'complete', authoritative: false };
}
