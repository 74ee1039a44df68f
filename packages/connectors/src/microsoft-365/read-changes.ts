import { z } from 'zod';
import type { ConnectorCall } from '#connector';
import { wholeList } from '#http/entries';
import type { DriveItem } from '#microsoft-365/drive-item';
import { createFolderPaths } from '#microsoft-365/folder-paths';
import type { DeltaPage } from '#microsoft-365/graph-api';
import { itemEvents, type ListingContext, MAX_LIBRARY_PAGES } from '#microsoft-365/list-files';
import { ResyncRequired } from '#microsoft-365/read-error';
import { isUnreadable } from '#readers/reader-lists';
import type { SourceEvent } from '#source';
import { SourceError } from '#source-error';

/** The address of later changes of each library. */
const Cursor = z.object({ drives: z.record(z.string(), z.string()) });
type Cursor = z.infer<typeof Cursor>;

/** With more libraries, a cursor is too large, and each sync lists all files. */
const MAX_DRIVES = 200;

const fullSyncNeeded = (message: string, cause?: unknown) =>
  new SourceError('gone', `${message} A full sync is needed.`, { cause });

/** Returns the ids of all libraries, sorted. */
async function findDrives({ places }: ListingContext, call: ConnectorCall): Promise<readonly string[]> {
  const { places: found, unreadableEntries } = await places.find(call);
  wholeList({ items: [], unreadable: unreadableEntries }, 'the list of sites and users');
  const drives = new Set<string>();
  for (const place of found) {
    try {
      for (const id of wholeList(await places.drives(call, place), 'the list of libraries')) drives.add(id);
    } catch (error) {
      if (!isUnreadable(error)) throw error;
    }
    if (drives.size > MAX_DRIVES) {
      throw new SourceError('invalid', `The change feed covers at most ${MAX_DRIVES} libraries.`);
    }
  }
  return [...drives].sort();
}

/** Returns the current position of each library. */
export async function readCursor(context: ListingContext, call: ConnectorCall): Promise<string> {
  const drives: Record<string, string> = {};
  for (const id of await findDrives(context, call)) drives[id] = await context.api.latest(call, id);
  return JSON.stringify({ drives } satisfies Cursor);
}

/**
 * Throws if a folder changed: the files in it are not in the set of changes, but have other paths and
 * readers. Every folder in the set counts, because the set lacks unchanged folders; nothing shows what
 * changed. The root is always in it.
 */
function checkFolder({ root, folder, deleted }: DriveItem): void {
  if (root !== undefined || folder === undefined) return;
  throw fullSyncNeeded(
    deleted === undefined ? 'A folder was created, renamed, moved or shared.' : 'A folder was deleted.',
  );
}

/**
 * Reads the changes of each library since a cursor. Throws `gone` if a position has expired, or if a
 * library or a folder was added, changed or deleted.
 */
export async function* readChanges(
  context: ListingContext,
  call: ConnectorCall,
  from: string,
): AsyncGenerator<SourceEvent, void, void> {
  const { data: cursor } = Cursor.safeParse(JSON.parse(from));
  if (cursor === undefined) throw fullSyncNeeded('The position in the list of changes is invalid.');
  const present = await findDrives(context, call);
  if (present.join(' ') !== Object.keys(cursor.drives).sort().join(' ')) {
    throw fullSyncNeeded('A library was added or removed.');
  }
  const positions: Record<string, string> = { ...cursor.drives };
  for (const drive of present) {
    const paths = createFolderPaths(context.api);
    let pages = 0;
    for (let link: string | undefined = positions[drive]; link !== undefined; ) {
      pages += 1;
      if (pages > MAX_LIBRARY_PAGES) throw fullSyncNeeded('Microsoft 365 returned too many pages of changes.');
      const page: DeltaPage = await context.api.changes(call, link).catch((error: unknown) => {
        const isUnknown = error instanceof ResyncRequired || (error instanceof SourceError && error.kind === 'invalid');
        throw isUnknown ? fullSyncNeeded('The position in the list of changes has expired.', error) : error;
      });
      // Before the position is stored, so that a later job cannot miss a folder.
      for (const item of page.items.items) checkFolder(item);
      yield* itemEvents(context, call, { drive, page, paths, reportsUnwanted: true });
      if (page.next === link) throw new SourceError('transient', 'Microsoft 365 returned the same changes again.');
      positions[drive] = page.next ?? page.delta ?? link;
      yield { type: 'checkpoint', at: JSON.stringify({ drives: positions } satisfies Cursor) };
      link = page.next;
    }
  }
  yield { type: 'complete', authoritative: false };
}
