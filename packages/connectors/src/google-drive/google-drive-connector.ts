import { runChecks } from '../checks/run-checks.ts';
import type { Connector, ConnectorCall } from '../connector.ts';
import type { ConnectorHost } from '../host.ts';
import type { SourcePermissions, SourceRef } from '../source.ts';
import { SourceError } from '../source-error.ts';
import { createDriveApi, type DriveApi } from './drive-api.ts';
import { principalOf } from './drive-permission.ts';
import { isReadable } from './export-formats.ts';
import { listFiles } from './list-files.ts';
import { readChanges, readCursor } from './read-changes.ts';
import { readContent } from './read-content.ts';
import { refOfFile } from './to-ref.ts';

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
  const api = createDriveApi(host);

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
