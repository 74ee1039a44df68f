import { createHash } from 'node:crypto';
import { refuse } from '#emulators/google/google-responses';
import type { DriveFile, DriveModel } from '#emulators/google-drive/drive-model';
import type { Viewer } from '#emulators/google-drive/viewer';
import type { PlatformRequest } from '#emulators/platform/platform-server';

export const GOOGLE_APPS = 'application/vnd.google-apps.';
/** Google's maximum size of an export. */
export const EXPORT_LIMIT_BYTES = 10 * 1024 * 1024;

const notFound = (id: string): never => refuse(404, 'notFound', `File not found: ${id}.`);

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
