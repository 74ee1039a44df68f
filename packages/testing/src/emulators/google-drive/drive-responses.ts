import { createHash } from 'node:crypto';
import type { Viewer } from '#emulators/google-drive/directory-model';
import type { DriveFile, DriveModel } from '#emulators/google-drive/drive-model';
import { applyFieldMask, parseFieldMask } from '#emulators/google-drive/field-mask';
import {
  jsonResponse,
  PlatformError,
  type PlatformRequest,
  type PlatformResponse,
} from '#emulators/platform/platform-server';

export const GOOGLE_APPS = 'application/vnd.google-apps.';
/** Google's maximum size of an export. */
export const EXPORT_LIMIT_BYTES = 10 * 1024 * 1024;

/** Google's error shape. */
export function googleError(status: number, reason: string, message: string): PlatformResponse {
  return jsonResponse(status, {
    error: { code: status, message, errors: [{ message, domain: 'global', reason }] },
  });
}

const REASONS: Readonly<Record<number, string>> = {
  400: 'badRequest',
  401: 'authError',
  403: 'userRateLimitExceeded',
  404: 'notFound',
  410: 'fullSyncRequired',
  429: 'rateLimitExceeded',
  500: 'internalError',
  503: 'backendError',
};

/** Returns an injected fault as an error of Drive. 403 means too many requests, its usual meaning at Drive. */
export const driveRefusal = (status: number, message: string) =>
  googleError(status, REASONS[status] ?? 'unknown', message);

export const refuse = (status: number, reason: string, message: string): never => {
  throw new PlatformError(googleError(status, reason, message));
};

const notFound = (id: string): never => refuse(404, 'notFound', `File not found: ${id}.`);

/** Selects the requested fields of a response, or `defaults`. */
export function selected({ query }: PlatformRequest, value: unknown, defaults: string): PlatformResponse {
  try {
    return jsonResponse(200, applyFieldMask(value, parseFieldMask(query.get('fields') ?? defaults)));
  } catch (error) {
    return refuse(400, 'invalidParameter', error instanceof Error ? error.message : 'Invalid field selection');
  }
}

/** Rejects unknown parameters, like Google. */
export function checkParameters({ query }: PlatformRequest, known: readonly string[]): void {
  for (const name of query.keys()) {
    if (!known.includes(name) && name !== 'fields' && name !== 'alt') {
      refuse(400, 'badRequest', `Invalid JSON payload received. Unknown name "${name}"`);
    }
  }
}

export function readPageSize({ query }: PlatformRequest, most: number): number {
  const size = Number(query.get('pageSize') ?? 100);
  if (!Number.isInteger(size) || size < 1 || size > most) refuse(400, 'invalid', 'Invalid value for page_size');
  return size;
}

/** The file resource. Files in shared drives have no `permissions`; only binaries have `md5Checksum` and `size`. */
export function fileResource(file: DriveFile, origin: string): Readonly<Record<string, unknown>> {
  const isBinary = !file.mimeType.startsWith(GOOGLE_APPS);
  return {
    kind: 'drive#file',
    id: file.id,
    name: file.name,
    mimeType: file.mimeType,
    trashed: file.trashed,
    version: String(file.version),
    createdTime: '2026-01-01T00:00:00.000Z',
    modifiedTime: file.modifiedTime,
    webViewLink: `${origin}/file/d/${file.id}/view`,
    lastModifyingUser: { kind: 'drive#user', ...file.owner },
    ...(file.driveId === undefined
      ? { owners: [{ kind: 'drive#user', ...file.owner }], permissions: file.permissions }
      : { driveId: file.driveId }),
    ...(isBinary
      ? {
          size: String(file.content.byteLength),
          md5Checksum: createHash('md5').update(file.content).digest('hex'),
        }
      : {}),
  };
}

/** Returns the file if the user can see it. */
export function visibleFile(
  { model, viewer }: { readonly model: DriveModel; readonly viewer?: Viewer | undefined },
  id: string,
  { query }: PlatformRequest,
): DriveFile {
  const file = model.files.get(id) ?? notFound(id);
  if (viewer?.sees(file) === false) notFound(id);
  if (file.driveId !== undefined && query.get('supportsAllDrives') !== 'true') notFound(id);
  return file;
}
