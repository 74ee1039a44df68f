import { createHash } from 'node:crypto';
import { basename } from 'node:path/posix';
import type { IssuablePart } from '#gitlab/gitlab-api';
import type { Issuable, Project, TreeEntry, WikiPage } from '#gitlab/gitlab-schemas';
import { itemId } from '#gitlab/item-id';
import type { SourceRef } from '#source';

const REGULAR = '100644';
const FILES: ReadonlySet<string> = new Set([REGULAR, '100755', '100664']);

/** Returns true for regular files: not symbolic links, submodules or folders. */
export const isFile = (entry: TreeEntry): boolean => entry.type === 'blob' && FILES.has(entry.mode ?? REGULAR);

const encodePath = (path: string): string => path.split('/').map(encodeURIComponent).join('/');

/**
 * Another project can get the path of a renamed or deleted one, and so the ids of its items. A version
 * starts with the project's id, so that the text of one project never gets the readers of the other.
 */
const versionIn = (project: Project, version: string): string => `${project.id}:${version}`;

/** Returns the version of an item without the project's id; undefined if it is of another project. */
export function versionWithin(project: Project, { version }: Pick<SourceRef, 'version'>): string | undefined {
  const prefix = versionIn(project, '');
  return version?.startsWith(prefix) ? version.slice(prefix.length) : undefined;
}

/** Converts a file to an item. The version is its content hash; the URL shows the file at this commit. */
export const fileRef = (project: Project, commit: string, entry: TreeEntry): SourceRef => ({
  id: itemId({ project: project.path, part: 'repository', path: entry.path }),
  path: `${project.path}/${entry.path}`,
  version: versionIn(project, entry.id),
  title: basename(entry.path),
  url: project.url && `${project.url}/-/blob/${commit}/${encodePath(entry.path)}`,
});

/** Issues and merge requests of banned people are hidden from everyone but administrators. */
export const isHidden = ({ author }: Pick<Issuable, 'author'>): boolean => author?.state === 'banned';

/** The title of an issue or merge request: its reference and its title. */
export function titleOf(part: IssuablePart, { iid, title }: Issuable): string {
  const reference = `${part === 'issues' ? '#' : '!'}${iid}`;
  const text = (title ?? '').replace(/\s+/g, ' ').trim();
  return text === '' ? reference : `${reference}: ${text}`;
}

export const issuableVersion = (project: Project, { updated_at }: Pick<Issuable, 'updated_at'>): string =>
  versionIn(project, updated_at);

export function issuableRef(project: Project, part: IssuablePart, issuable: Issuable): SourceRef {
  const title = titleOf(part, issuable);
  return {
    id: itemId({ project: project.path, part, number: issuable.iid }),
    path: `${project.path}${title}`,
    version: issuableVersion(project, issuable),
    title,
    url: issuable.web_url ?? (project.url && `${project.url}/-/${part}/${issuable.iid}`),
    author: issuable.author?.name || undefined,
    mimeType: 'text/markdown',
    updatedAt: issuable.updated_at,
  };
}

/** The text formats of wikis other than Markdown. */
const FORMATS: ReadonlySet<string> = new Set(['asciidoc', 'rdoc', 'org']);

/** Returns the file extension of a wiki page. */
export const extensionOf = ({ format }: WikiPage): string => (FORMATS.has(format ?? '') ? `${format}` : 'md');

/**
 * GitLab returns no version of a wiki page, so the hash of what it returns is the version. Without the
 * content, it is only the project's id, which is never the version of what was read.
 */
export function wikiVersion(project: Project, { title, format, content }: WikiPage): string {
  if (content === null || content === undefined) return versionIn(project, '');
  const hash = createHash('sha256');
  hash.update(JSON.stringify([title ?? '', format ?? '', content]));
  return versionIn(project, hash.digest('hex').slice(0, 40));
}

export function wikiRef(project: Project, page: WikiPage): SourceRef {
  const { slug } = page;
  return {
    id: itemId({ project: project.path, part: 'wiki', slug }),
    path: `${project.path}/-/wikis/${slug}`,
    version: wikiVersion(project, page),
    title: page.title || basename(slug),
    url: project.url && `${project.url}/-/wikis/${encodePath(slug)}`,
    mimeType: extensionOf(page) === 'md' ? 'text/markdown' : 'text/plain',
  };
}
