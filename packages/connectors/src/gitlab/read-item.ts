import { basename } from 'node:path/posix';
import type { ConnectorCall } from '#connector';
import { isLfsPointer } from '#git/lfs-pointer';
import { discussionMarkdown, isShown, namesOf } from '#gitlab/discussion-markdown';
import type { IssuablePart } from '#gitlab/gitlab-api';
import type { Issuable, Project } from '#gitlab/gitlab-schemas';
import { type ItemName, parseItemId } from '#gitlab/item-id';
import {
  extensionOf,
  fileRef,
  isFile,
  isHidden,
  issuableRef,
  issuableVersion,
  versionWithin,
  wikiRef,
  wikiVersion,
} from '#gitlab/item-refs';
import { headOf } from '#gitlab/list-files';
import { hasPart, isKind, isWanted, projectOf, type Scope } from '#gitlab/scope';
import type { SourceContent, SourceRef } from '#source';
import { SourceError } from '#source-error';

const HASH = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;

async function findFile(scope: Scope, call: ConnectorCall, project: Project, path: string): Promise<SourceRef | null> {
  if (!isWanted(scope, path)) return null;
  const commit = await headOf(scope, call, project).catch((error: unknown) => {
    // The branch is missing, not necessarily the file.
    throw isKind(error, 'gone') ? new SourceError('forbidden', error.message, { cause: error }) : error;
  });
  if (commit === undefined) return null;
  const slash = path.lastIndexOf('/');
  const folder = path.slice(0, Math.max(slash, 0));
  try {
    let isUnreadable = false;
    for await (const { items, unreadable } of scope.api.tree(call, project, { commit, folder })) {
      const entry = items.find((candidate) => candidate.path === path);
      if (entry !== undefined) return isFile(entry) ? fileRef(project, commit, entry) : null;
      isUnreadable ||= unreadable.length > 0;
    }
    if (!isUnreadable) return null;
  } catch (error) {
    if (isKind(error, 'gone')) return null;
    throw error;
  }
  // An unreadable entry still exists, so it must not count as deleted.
  throw new SourceError('invalid', `An entry of the folder of ${path} has an unexpected format.`);
}

/** Finds an item by its id; null if GitLab confirms that it does not exist or is not selected. */
export async function findItem(scope: Scope, call: ConnectorCall, id: string): Promise<SourceRef | null> {
  const name = parseItemId(id);
  if (name === undefined || !scope.parts.includes(name.part)) return null;
  const project = await projectOf(scope, call, name);
  if (project === null || !hasPart(scope, project, name.part)) return null;
  switch (name.part) {
    case 'repository':
      return findFile(scope, call, project, name.path);
    case 'wiki': {
      const page = await scope.api.wikiPage(call, project, name.slug);
      // GitLab also finds a page by another form of its slug.
      return page === null || page.slug !== name.slug ? null : wikiRef(project, page);
    }
    default: {
      const issuable = await findIssuable(scope, call, project, name);
      return issuable === null ? null : issuableRef(project, name.part, issuable);
    }
  }
}

async function findIssuable(
  { api }: Scope,
  call: ConnectorCall,
  project: Project,
  { part, number }: { readonly part: IssuablePart; readonly number: number },
): Promise<Issuable | null> {
  const found = await api.issuable(call, project, part, number);
  return found === null || found.iid !== number || isHidden(found) ? null : found;
}

/** Limits the length of a file, and rejects Git LFS pointers. */
async function* checked(
  body: AsyncIterable<Uint8Array>,
  ref: SourceRef,
  maxBytes: number,
): AsyncGenerator<Uint8Array, void, void> {
  let bytes = 0;
  for await (const piece of body) {
    if (bytes === 0 && isLfsPointer(piece)) {
      throw new SourceError('invalid', `${ref.path} is stored in Git LFS, which is not supported.`);
    }
    bytes += piece.byteLength;
    if (bytes > maxBytes) throw tooLarge(ref, maxBytes);
    yield piece;
  }
}

const tooLarge = (ref: SourceRef, maxBytes: number) =>
  new SourceError('too_large', `${ref.path} is larger than the limit of ${maxBytes} bytes.`);

async function* bytesOf(text: string): AsyncGenerator<Uint8Array, void, void> {
  yield Buffer.from(text);
}

const metadataOf = (project: Project, issuable: Issuable) => {
  const fields = {
    project: project.path,
    type: issuable.issue_type,
    state: issuable.state,
    labels: issuable.labels,
    milestone: issuable.milestone?.title,
    author: issuable.author?.name,
    assignees: namesOf(issuable),
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value && value.length > 0));
};

/**
 * Reads an item. Files are read with the listed hash, even if a newer version was pushed since. An
 * item of an earlier project with the same path is gone.
 */
export async function readItem(
  scope: Scope,
  call: ConnectorCall,
  ref: SourceRef,
  maxBytes: number,
): Promise<SourceContent> {
  const gone = () => new SourceError('gone', `${ref.path} no longer exists or is not visible to the token.`);
  const limited = (text: string) => {
    if (Buffer.byteLength(text) > maxBytes) throw tooLarge(ref, maxBytes);
    return bytesOf(text);
  };
  const name: ItemName | undefined = parseItemId(ref.id);
  const project = name === undefined ? null : await projectOf(scope, call, name);
  if (name === undefined || project === null || !hasPart(scope, project, name.part)) throw gone();
  const version = versionWithin(project, ref);
  if (version === undefined) throw gone();
  switch (name.part) {
    case 'repository': {
      if (!HASH.test(version)) throw gone();
      const body = await scope.api.blob(call, project, version, ref.path);
      const metadata = { project: project.path, path: name.path };
      return { body: checked(body, ref, maxBytes), version: ref.version, fileName: basename(name.path), metadata };
    }
    case 'wiki': {
      const page = await scope.api.wikiPage(call, project, name.slug);
      if (page === null) throw gone();
      const fileName = `${basename(page.slug)}.${extensionOf(page)}`;
      const metadata = { project: project.path, wikiPage: page.slug };
      const content = page.content ?? '';
      return { body: limited(content), version: wikiVersion(project, { ...page, content }), fileName, metadata };
    }
    default: {
      const issuable = await findIssuable(scope, call, project, name);
      if (issuable === null) throw gone();
      const notes = await scope.api.notes(call, project, name, { isWanted: isShown, maxBytes });
      const text = discussionMarkdown(name.part, issuable, notes);
      const fileName = `${name.part === 'issues' ? 'issue' : 'merge-request'}-${name.number}.md`;
      return {
        body: limited(text),
        version: issuableVersion(project, issuable),
        fileName,
        metadata: metadataOf(project, issuable),
      };
    }
  }
}
