import { z } from 'zod';
import type { ConnectorCall } from '#connector';
import type { Change, DriveApi } from '#google-drive/drive-api';
import { FOLDER, isReadable } from '#google-drive/export-formats';
import { refOfFile } from '#google-drive/to-ref';
import { failedEntry, wholeList } from '#http/entries';
import type { SourceEvent, SourceRef } from '#source';
import { SourceError } from '#source-error';

/**
 * The user's change log and that of each shared drive: the user's log lacks some changes in shared drives.
 * https://developers.google.com/workspace/drive/api/guides/about-changes
 */
const Cursor = z.object({ user: z.string(), drives: z.record(z.string(), z.string()) });
type Cursor = z.infer<typeof Cursor>;

/** Returns the current position of the logs. */
export async function readCursor(api: DriveApi, call: ConnectorCall): Promise<string> {
  const user = await api.startPageToken(call);
  const drives: Record<string, string> = {};
  for (const id of wholeList(await api.drives(call), 'the shared drives'))
    drives[id] = await api.startPageToken(call, id);
  return JSON.stringify({ user, drives } satisfies Cursor);
}

const fullSyncNeeded = (message: string, cause?: unknown) =>
  new SourceError('gone', `${message} A full sync is needed.`, { cause });

/**
 * Reads the logs since a cursor. Throws `gone` if a log has expired, or if a folder or shared drive
 * changed: the log does not include the files inside it.
 */
export async function* readChanges(
  api: DriveApi,
  call: ConnectorCall,
  from: string,
  resolve: (id: string) => Promise<SourceRef | null>,
): AsyncGenerator<SourceEvent, void, void> {
  const cursor = Cursor.safeParse(JSON.parse(from)).data;
  if (cursor === undefined) throw fullSyncNeeded('The position in the change log is invalid.');
  const present = wholeList(await api.drives(call), 'the shared drives').join(' ');
  if (present !== Object.keys(cursor.drives).sort().join(' ')) {
    throw fullSyncNeeded('The user was added to a shared drive, or left one.');
  }
  let { user, drives } = cursor;
  for (const driveId of [undefined, ...Object.keys(cursor.drives)]) {
    let pageToken = driveId === undefined ? user : drives[driveId];
    while (pageToken !== undefined) {
      const page = await api.changes(call, { driveId, pageToken }).catch((error: unknown) => {
        const isUnknown = error instanceof SourceError && error.kind === 'invalid';
        throw isUnknown ? fullSyncNeeded('The position in the change log has expired.', error) : error;
      });
      for (const entry of page.changes.unreadable) yield failedEntry(entry, { id: entry.id, what: 'the change log' });
      for (const change of page.changes.items) yield* eventsOf(change, resolve);
      const next = page.nextPageToken ?? page.newStartPageToken ?? pageToken;
      if (driveId === undefined) user = next;
      else drives = { ...drives, [driveId]: next };
      yield { type: 'checkpoint', at: JSON.stringify({ user, drives } satisfies Cursor) };
      pageToken = page.nextPageToken;
    }
  }
  yield { type: 'complete', authoritative: false };
}

async function* eventsOf(
  change: Change,
  resolve: (id: string) => Promise<SourceRef | null>,
): AsyncGenerator<SourceEvent> {
  const { changeType = 'file', removed = false, fileId, file } = change;
  if (changeType === 'drive') throw fullSyncNeeded('A shared drive changed.');
  const id = fileId ?? file?.id;
  if (id === undefined) return;
  if (file?.mimeType === FOLDER) throw fullSyncNeeded('A folder was created, moved or trashed.');
  if (file?.trashed === true) yield { type: 'gone', id };
  else if (removed || file === undefined) {
    // Removed from this log, but possibly moved to a drive with another log.
    const ref = await resolve(id);
    yield ref === null ? { type: 'gone', id } : { type: 'item', ref };
  } else if (isReadable(file)) yield { type: 'item', ref: refOfFile(file) };
  else yield { type: 'gone', id };
}
