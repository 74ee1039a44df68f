import { z } from 'zod';
import type { ConnectorCall } from '#connector';
import type { DriveApi, FilePage } from '#google-drive/drive-api';
import { isReadable } from '#google-drive/export-formats';
import { refOfFile } from '#google-drive/to-ref';
import { failedEntry, NO_ENTRIES } from '#http/entries';
import type { SourceEvent } from '#source';
import { SourceError } from '#source-error';

/** The position of a listing: My Drive first, then the shared drives by id. */
const Checkpoint = z.object({
  driveId: z.string().optional(),
  pageToken: z.string().optional(),
  /** True if any page was marked as incomplete. */
  incomplete: z.boolean(),
});
type Checkpoint = z.infer<typeof Checkpoint>;

const BEGINNING: Checkpoint = { incomplete: false };

function parse(from: string | undefined): Checkpoint {
  if (from === undefined) return BEGINNING;
  return Checkpoint.parse(JSON.parse(from));
}

const isKind = (error: unknown, kind: SourceError['kind']) => error instanceof SourceError && error.kind === kind;

/** Reads the page at a checkpoint. Tokens expire after hours; then the drive starts again. */
async function readPage(api: DriveApi, call: ConnectorCall, at: Checkpoint, resumed: boolean): Promise<FilePage> {
  try {
    return await api.files(call, at);
  } catch (error) {
    if (!resumed || at.pageToken === undefined || !isKind(error, 'invalid')) throw error;
    return api.files(call, { driveId: at.driveId });
  }
}

/**
 * Lists My Drive and files shared with the user, then each shared drive. A file that moves between
 * drives, or on a page that changes during the listing, can be missed, so the result has
 * `confirmGone`.
 */
export async function* listFiles(
  api: DriveApi,
  call: ConnectorCall,
  from: string | undefined,
): AsyncGenerator<SourceEvent, void, void> {
  const { items: drives, unreadable } = await api.drives(call);
  for (const entry of unreadable) yield failedEntry(entry, { id: entry.id, what: 'the shared drives', hides: true });
  const listedDrives = new Set(drives);
  let at: Checkpoint | undefined = parse(from);
  let resumed = from !== undefined;
  while (at !== undefined) {
    let page: FilePage = { files: NO_ENTRIES };
    let { incomplete } = at;
    try {
      page = await readPage(api, call, at, resumed);
    } catch (error) {
      // The user left this shared drive since the drives were listed. Its files are checked one by
      // one.
      if (at.driveId === undefined || !isKind(error, 'gone')) throw error;
      incomplete = true;
    }
    resumed = false;
    incomplete ||= page.incompleteSearch === true;
    for (const entry of page.files.unreadable) yield failedEntry(entry, { id: entry.id, what: 'the list of files' });
    for (const file of page.files.items) {
      const isListedLater = at.driveId === undefined && file.driveId !== undefined && listedDrives.has(file.driveId);
      if (!isListedLater && file.trashed !== true && isReadable(file)) yield { type: 'item', ref: refOfFile(file) };
    }
    at = nextCheckpoint(at, page, drives, incomplete);
    if (at === undefined) yield { type: 'complete', authoritative: !incomplete, confirmGone: true };
    else yield { type: 'checkpoint', at: JSON.stringify(at) };
  }
}

function nextCheckpoint(at: Checkpoint, page: FilePage, drives: readonly string[], incomplete: boolean) {
  const { nextPageToken } = page;
  if (nextPageToken !== undefined) return { driveId: at.driveId, pageToken: nextPageToken, incomplete };
  const driveId = drives.find((id) => at.driveId === undefined || id > at.driveId);
  return driveId === undefined ? undefined : { driveId, incomplete };
}
