import type { ConfluenceApi, PageBody } from '#confluence/confluence-api';
import { type ItemId, parseItemId } from '#confluence/item-id';
import { fileNameOf } from '#confluence/item-refs';
import { pageHtml, storageToHtml } from '#confluence/storage-html';
import type { ConnectorCall } from '#connector';
import type { SourceContent, SourceRef } from '#source';
import { SourceError } from '#source-error';

const gone = (ref: SourceRef) =>
  new SourceError('gone', `${ref.path} no longer exists or is not visible to this account.`);

/**
 * Returns the body in storage format; rendered HTML if that fails, for example because of broken
 * macros.
 */
async function bodyOf(api: ConfluenceApi, call: ConnectorCall, id: string): Promise<PageBody | null> {
  try {
    const stored = await api.body(call, id, 'storage');
    if (stored !== null) return stored;
  } catch (error) {
    if (!(error instanceof SourceError) || !['transient', 'invalid'].includes(error.kind)) throw error;
  }
  return api.body(call, id, 'view');
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array, void, void> {
  yield Buffer.from(text);
}

async function readPage(api: ConfluenceApi, call: ConnectorCall, ref: SourceRef, id: ItemId, maxBytes: number) {
  const found = await bodyOf(api, call, id.pageId);
  // A page that moved is listed under its new id.
  if (found === null || found.page.space.key !== id.spaceKey) throw gone(ref);
  const { page, markup, form, labels } = found;
  const html = pageHtml(page.title, form === 'storage' ? storageToHtml(markup) : markup);
  if (Buffer.byteLength(html) > maxBytes) {
    throw new SourceError('too_large', `${ref.path} is larger than the limit of ${maxBytes} bytes.`);
  }
  return {
    body: bytesOf(html),
    version: String(page.version),
    fileName: `${fileNameOf(page.title)}.html`,
    metadata: { space: page.space.key, ...(labels.length === 0 ? {} : { labels }) },
  };
}

async function readAttachment(
  api: ConfluenceApi,
  call: ConnectorCall,
  ref: SourceRef,
  id: ItemId,
  attachmentId: string,
) {
  const attachment = await api.attachment(call, attachmentId);
  if (attachment === null || attachment.pageId !== id.pageId || attachment.downloadUrl === undefined) throw gone(ref);
  return {
    body: await api.download(call, attachment.downloadUrl, `the file ${attachment.title}`),
    version: String(attachment.version),
    fileName: fileNameOf(attachment.title),
    metadata: { space: id.spaceKey },
  };
}

/** Returns the content of a page as HTML, or of an attachment unchanged. */
export async function readContent(
  api: ConfluenceApi,
  call: ConnectorCall,
  ref: SourceRef,
  maxBytes: number,
): Promise<SourceContent> {
  const id = parseItemId(ref.id);
  if (id === undefined) throw gone(ref);
  if (id.attachmentId !== undefined) return readAttachment(api, call, ref, id, id.attachmentId);
  return readPage(api, call, ref, id, maxBytes);
}
