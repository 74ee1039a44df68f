import { runChecks } from '#checks/run-checks';
import type { Connector, ConnectorCall } from '#connector';
import { createUserDriveApi, type DriveApi } from '#google-drive/drive-api';
import { principalOf } from '#google-drive/drive-permission';
import { isReadable } from '#google-drive/export-formats';
import { listFiles } from '#google-drive/list-files';
import { readChanges, readCursor } from '#google-drive/read-changes';
import { readContent } from '#google-drive/read-content';
import { refOfFile } from '#google-drive/to-ref';
import type { ConnectorHost } from '#host';
import type { SourcePermissions, SourceRef } from '#source';
import { SourceError } from '#source-error';

/** The number of files whose permissions are requested concurrently. */
const CONCURRENT_PERMISSIONS = 4;

async function readPermissions(api: DriveApi, call: ConnectorCall, id: string): Promise<SourcePermissions> {
  try {
    const now = Date.now();
    const permissions = await api.permissions(call, id);
    return { id, principals: [...new Set(permissions.flatMap((permission) => principalOf(permission, now) ?? []))] };
  } catch (error) {
    // A user who can only read a file cannot list its permissions.
    if (error instanceof SourceError && (error.kind === 'forbidden' || error.kind === 'gone')) {
      return { id, principals: [] };
    }
    throw error;
  }
}

/** Opens the Drive of the user who authorized the connector. */
export function openGoogleDrive(
  host: Pick<ConnectorHost, 'addresses' | 'egress' | 'tokens' | 'maxItemBytes'>,
): Connector {
  const api = createUserDriveApi(host);

  const resolve = async (call: ConnectorCall, id: string): Promise<SourceRef | null> => {
    try {
      const file = await api.file(call, id);
      return file.trashed === true || !isReadable(file) ? null : refOfFile(file);
    } catch (error) {
      if (error instanceof SourceError && error.kind === 'gone') return null;
      throw error;
    }
  };

  return {
    test: (call) =>
      runChecks([
        [
          'authorization',
          async () => {
            await api.startPageToken(call);
            return 'Google accepts the authorization.';
          },
        ],
        [
          'files',
          async () => {
            const { files } = await api.files(call, {});
            return files.items.length === 0 ? 'Files can be listed; there are none.' : 'Files can be listed.';
          },
        ],
      ]),
    list: (call, from) => listFiles(api, call, from),
    cursor: (call) => readCursor(api, call),
    changes: (call, from) => readChanges(api, call, from, (id) => resolve(call, id)),
    resolve,
    fetch: (call, ref) => readContent(api, call, ref.id, host.maxItemBytes),
    async *permissions(call, refs) {
      for (let at = 0; at < refs.length; at += CONCURRENT_PERMISSIONS) {
        const some = refs.slice(at, at + CONCURRENT_PERMISSIONS);
        yield* await Promise.all(some.map((ref) => readPermissions(api, call, ref.id)));
      }
    },
  };
}
