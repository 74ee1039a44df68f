import type { Client } from './client.ts';
import { putWithProgress, type UploadProgress } from './put-with-progress.ts';
import { randomId } from './random-id.ts';
import { readResponse } from './read-response.ts';
import { fillPath, routeOf } from './request.ts';
import type { CallOptions, Data } from './types.ts';

/** A file to upload: a browser's `File`, or a name and its data. A `/` in the name keeps folders. */
export type UploadFile =
  | File
  | { readonly name: string; readonly data: Blob | Uint8Array<ArrayBuffer> | string; readonly type?: string };

export interface UploadOptions extends CallOptions {
  /** Metadata of all uploaded files. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly onProgress?: (progress: UploadProgress) => void;
}

/** One hour. */
const TIMEOUT_MS = 3_600_000;

const escapeName = (text: string): string =>
  text.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

/** A multipart/form-data body. Unlike FormData it has a known size and can be signed. */
function multipart(files: readonly UploadFile[], metadata: object | undefined): { body: Blob; type: string } {
  const boundary = `lectern-${randomId()}`;
  const parts: (Blob | Uint8Array<ArrayBuffer> | string)[] = [];
  if (metadata !== undefined) {
    parts.push(
      `--${boundary}\r\nContent-Disposition: form-data; name="metadata"\r\n\r\n${JSON.stringify(metadata)}\r\n`,
    );
  }
  for (const file of files) {
    const data = file instanceof File ? file : file.data;
    const type = file instanceof File ? file.type : (file.type ?? (data instanceof Blob ? data.type : ''));
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="files"; filename="${escapeName(file.name)}"`;
    parts.push(`${head}\r\nContent-Type: ${type || 'application/octet-stream'}\r\n\r\n`, data, '\r\n');
  }
  parts.push(`--${boundary}--\r\n`);
  return { body: new Blob(parts), type: `multipart/form-data; boundary=${boundary}` };
}

/** Uploads files to a connector and starts the job that indexes them. */
export async function uploadFiles(
  client: Client,
  connectorId: string,
  files: readonly UploadFile[],
  options: UploadOptions = {},
): Promise<Data<'uploadFiles'>> {
  const { metadata, onProgress, idempotencyKey } = options;
  const { method, path } = routeOf('uploadFiles');
  const { body, type } = multipart(files, metadata);
  const headers = {
    'Content-Type': type,
    // Not generated here: with a key the server must buffer the whole upload before it starts.
    ...(idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey }),
  };
  const outgoing = {
    method,
    path: fillPath(path, { id: connectorId }),
    headers,
    body,
    repeatable: idempotencyKey !== undefined,
    ...(onProgress === undefined
      ? {}
      : { wrapFetch: (custom: typeof fetch | undefined) => putWithProgress(onProgress, custom) }),
  };
  const { data } = await client.send(outgoing, { timeoutMs: TIMEOUT_MS, ...options }, readResponse);
  return data;
}
