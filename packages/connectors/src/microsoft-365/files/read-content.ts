import type { ConnectorCall } from '#connector';
import { type DriveItem, isFile, parseItemId, refOfItem } from '#microsoft-365/files/drive-item';
import type { FilesApi } from '#microsoft-365/files/files-api';
import { pathOfItem } from '#microsoft-365/files/folder-paths';
import type { GraphHttp } from '#microsoft-365/graph-http';
import type { SourceContent, SourceRef } from '#source';
import { SourceError } from '#source-error';

export interface ContentContext {
  readonly api: FilesApi;
  readonly http: Pick<GraphHttp, 'content' | 'isContentUrl'>;
  readonly maxItemBytes: number;
}

/** An interrupted download continues this often. */
const MAX_RESUMES = 3;

const changed = (path: string) =>
  new SourceError('transient', `${path} changed during the download. The next sync reads it again.`);

/** The file exists, so a rejected address means neither that it is gone nor that the sign-in failed. */
const notDownloadable = (path: string) =>
  new SourceError('forbidden', `Microsoft 365 does not allow the application to download ${path}.`);

function contentUrl({ http }: ContentContext, item: DriveItem, path: string): string {
  const url = item['@microsoft.graph.downloadUrl'];
  if (url !== undefined && http.isContentUrl(url)) return url;
  throw notDownloadable(path);
}

/** Throws unless the response continues at this byte. */
function checkRange(headers: Headers, from: number, path: string): void {
  const start = /^bytes (\d+)-/.exec(headers.get('content-range') ?? '')?.[1];
  if (start === undefined || Number(start) !== from) {
    throw new SourceError('transient', `The download of ${path} was interrupted and cannot continue.`);
  }
}

/**
 * Yields the content of a file. Continues an interrupted download with a new address, if the file is
 * the same: addresses are valid for a short time. They need no token.
 * https://learn.microsoft.com/en-us/graph/api/driveitem-get-content
 */
async function* readBody(
  context: ContentContext,
  call: ConnectorCall,
  { driveId, item: first, path }: { readonly driveId: string; readonly item: DriveItem; readonly path: string },
): AsyncGenerator<Uint8Array> {
  let item = first;
  let bytes = 0;
  for (let resumes = 0; ; resumes += 1) {
    try {
      // The bytes of a range are those of the file only without compression, which `fetch` never
      // requests for ranges.
      const range = bytes === 0 ? { 'accept-encoding': 'identity' } : { range: `bytes=${bytes}-` };
      const headers = { accept: '*/*', ...range };
      const request = { url: contentUrl(context, item, path), headers, what: path };
      const response = await context.http.content.download(call, request);
      if (bytes > 0) checkRange(response.headers, bytes, path);
      for await (const piece of response.value) {
        bytes += piece.byteLength;
        if (bytes > context.maxItemBytes) throw tooLarge(context, path);
        yield piece;
      }
      return;
    } catch (error) {
      const isExpired = error instanceof SourceError && ['auth', 'forbidden', 'gone'].includes(error.kind);
      const canResume = error instanceof SourceError && (error.kind === 'transient' || (isExpired && resumes === 0));
      if (!canResume || resumes >= MAX_RESUMES) throw isExpired ? notDownloadable(path) : error;
      item = await context.api.item(call, driveId, first.id);
      if (item.eTag !== first.eTag) throw changed(path);
    }
  }
}

const tooLarge = ({ maxItemBytes }: ContentContext, path: string) =>
  new SourceError('too_large', `${path} is larger than the limit of ${maxItemBytes} bytes.`);

/** Reads the current content of a file. The version belongs to the same response as the address. */
export async function readContent(
  context: ContentContext,
  call: ConnectorCall,
  { id, path }: SourceRef,
): Promise<SourceContent> {
  const parsed = parseItemId(id);
  if (parsed === undefined) throw new SourceError('gone', `${path} is not a file of Microsoft 365.`);
  const item = await context.api.item(call, parsed.driveId, parsed.id);
  if (!isFile(item)) throw new SourceError('gone', `${path} was deleted, or is no longer a file.`);
  const ref = refOfItem(parsed.driveId, item, pathOfItem(item));
  if (ref.sizeBytes !== undefined && ref.sizeBytes > context.maxItemBytes) throw tooLarge(context, ref.path);
  return {
    body: readBody(context, call, { driveId: parsed.driveId, item, path: ref.path }),
    version: ref.version,
    fileName: ref.title,
    metadata: item.createdDateTime === undefined ? {} : { createdAt: item.createdDateTime },
  };
}
