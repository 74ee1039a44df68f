import type { Client } from './client.ts';
import { putWithProgress, type UploadProgress } from './put-with-progress.ts';
import { randomName } from './random-name.ts';
import { readAnswer } from './read-answer.ts';
import { fillPath, routeOf } from './request.ts';
import type { CallOptions, Data } from './types.ts';

/** A file to upload: a browser's `File`, or a name (a path with `/` keeps its folders) and what is in it. */
export type UploadFile =
  | File
  | { readonly name: string; readonly data: Blob | Uint8Array<ArrayBuffer> | string; readonly type?: string };

export interface UploadOptions extends CallOptions {
  /** What is said of all the files. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Called as the bytes leave. */
  readonly onProgress?: (progress: UploadProgress) => void;
}

/** An hour: large uploads take their time. */
const TIMEOUT_MS = 3_600_000;

const quoted = (text: string): string => text.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

/** A multipart/form-data body. Made here, not by FormData, so that its size is known and it can be signed. */
function multipart(files: readonly UploadFile[], metadata: object | undefined): { body: Blob; type: string } {
  const boundary = `lectern-${randomName()}`;
  const parts: (Blob | Uint8Array<ArrayBuffer> | string)[] = [];
  if (metadata !== undefined) {
    parts.push(
      `--${boundary}\r\nContent-Disposition: form-data; name="metadata"\r\n\r\n${JSON.stringify(metadata)}\r\n`,
    );
  }
  for (const file of files) {
    const data = file instanceof File ? file : file.data;
    const given = file instanceof File ? file.type : (file.type ?? (data instanceof Blob ? data.type : ''));
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="files"; filename="${quoted(file.name)}"`;
    parts.push(`${head}\r\nContent-Type: ${given || 'application/octet-stream'}\r\n\r\n`, data, '\r\n');
  }
  parts.push(`--${boundary}--\r\n`);
  return { body: new Blob(parts), type: `multipart/form-data; boundary=${boundary}` };
}

/** Uploads files into a connector and starts the job that indexes them. */
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
    // Not made here: with one, the service must hold the whole upload before it begins.
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
      : { via: (given: typeof fetch | undefined) => putWithProgress(onProgress, given) }),
  };
  const { data } = await client.send(outgoing, { timeoutMs: TIMEOUT_MS, ...options }, readAnswer);
  return data;
}
