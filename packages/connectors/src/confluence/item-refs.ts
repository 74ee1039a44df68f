import type { Attachment, Page } from '#confluence/confluence-api';
import { attachmentItemId, pageItemId } from '#confluence/item-id';
import type { SourceRef } from '#source';

/** Converts a page to an item; `author` is the name of the author of this version. */
export function pageRef(page: Page, author: string | undefined): SourceRef {
  return {
    id: pageItemId(page.space.key, page.id),
    path: `${page.space.key}/${page.title}`,
    version: String(page.version),
    title: page.title,
    url: page.url,
    author,
    mimeType: 'text/html',
    updatedAt: page.updatedAt,
  };
}

export function attachmentRef(attachment: Attachment, spaceKey: string, author: string | undefined): SourceRef {
  return {
    id: attachmentItemId(spaceKey, attachment.pageId, attachment.id),
    path: `${spaceKey}/${attachment.pageId}/${attachment.title}`,
    version: String(attachment.version),
    title: attachment.title,
    url: attachment.url,
    author,
    sizeBytes: attachment.sizeBytes,
    mimeType: attachment.mimeType,
    updatedAt: attachment.updatedAt,
  };
}

const MAX_NAME_CHARS = 120;

/** Converts a title to a file name. */
export const fileNameOf = (title: string): string =>
  // Without control characters and path separators.
  title
    .replace(/[\p{Cc}/\\]+/gu, ' ')
    .trim()
    .slice(0, MAX_NAME_CHARS) || 'untitled';
