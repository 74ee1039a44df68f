import { z } from 'zod';
import type { ConnectorCall } from '#connector';
import type { GitlabApi } from '#gitlab/gitlab-api';
import type { Project, TreeEntry } from '#gitlab/gitlab-schemas';
import { itemId } from '#gitlab/item-id';
import { fileRef, isFile } from '#gitlab/item-refs';
import type { PartEvent } from '#gitlab/part-event';
import { isKind, isWanted, type Scope } from '#gitlab/scope';
import { failedEntry } from '#http/entries';
import { SourceError } from '#source-error';

/** A page of the tree of one commit. */
export const FilesPosition = z.object({ commit: z.string(), at: z.string() });
type FilesPosition = z.infer<typeof FilesPosition>;

/** Returns the commit to read; undefined for an empty repository. */
export async function headOf(scope: Scope, call: ConnectorCall, project: Project): Promise<string | undefined> {
  if (project.isEmpty) return undefined;
  const branch = scope.branch ?? project.branch;
  if (branch === undefined) {
    // GitLab leaves the default branch out for accounts that must not read the code.
    throw new SourceError(
      'forbidden',
      `GitLab does not show the default branch of ${project.path}. Give the token the role Reporter, or set branch.`,
    );
  }
  const commit = await scope.api.commit(call, project, branch);
  if (commit !== null) return commit;
  throw new SourceError('gone', `The branch ${branch} of ${project.path} does not exist. Check branch.`);
}

/** Lists the files of one commit, page by page. */
export async function* listFiles(
  scope: Scope,
  call: ConnectorCall,
  project: Project,
  from?: FilesPosition,
): AsyncGenerator<PartEvent, void, void> {
  const commit = from?.commit ?? (await headOf(scope, call, project));
  if (commit === undefined) return;
  try {
    for await (const page of scope.api.tree(call, project, { commit, at: from?.at })) {
      for (const entry of page.unreadable) {
        const path = entry.id;
        const id = path && itemId({ project: project.path, part: 'repository', path });
        yield failedEntry(entry, { id, what: `the files of ${project.path}` });
      }
      for (const entry of page.items) {
        if (isFile(entry) && isWanted(scope, entry.path)) {
          yield { type: 'item', ref: fileRef(project, commit, entry) };
        }
      }
      if (page.next !== undefined) yield { type: 'position', at: { commit, at: page.next } };
    }
  } catch (error) {
    // After a force push, the commit of the position can be missing: list the current one.
    if (from === undefined || !isKind(error, 'gone', 'invalid')) throw error;
    yield* listFiles(scope, call, project);
  }
}

/** Returns all files of a commit by path. Throws `gone` if the tree is incomplete. */
export async function filesAt(
  api: GitlabApi,
  call: ConnectorCall,
  project: Project,
  commit: string | undefined,
): Promise<ReadonlyMap<string, TreeEntry>> {
  const files = new Map<string, TreeEntry>();
  if (commit === undefined) return files;
  for await (const { items, unreadable } of api.tree(call, project, { commit })) {
    if (unreadable.length > 0) {
      throw new SourceError('gone', `GitLab could not list the changes in ${project.path}. A full sync is needed.`);
    }
    for (const entry of items) if (isFile(entry)) files.set(entry.path, entry);
  }
  return files;
}
