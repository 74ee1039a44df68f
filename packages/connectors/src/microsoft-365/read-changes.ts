import { z } from 'zod';
import type { ConnectorCall } from '#connector';
import { wholeList } from '#http/entries';
import type { DriveItem } from '#microsoft-365/drive-item';
import { createFolderPaths } from '#microsoft-365/folder-paths';
import type { DeltaPage } from '#microsoft-365/graph-api';
import { itemEvents, type ListingContext } from '#microsoft-365/list-files';
import { ResyncRequired } from '#microsoft-365/read-error';
import { isUnreadable } from '#readers/reader-lists';
import type { SourceEvent } from '#source';
import { SourceError } from '#source-error';

/** The address of later changes of each library. */
const Cursor = z.object({ drives: z.record(z.string(), z.string()) });
type Cursor = z.infer<typeof Cursor>;

/** With more libraries, a cursor is too large, and each sync lists all files. */
const MAX_DRIVES = 200;
/** With more folders in one set of changes, a full listing is cheaper. */
const MAX_FOLDERS = 10_000;

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
 * Detects folders that changed. A set of changes contains the folders above each changed item, and
 * folders that changed themselves: their files are not in it, but have other paths and readers.
 */
function createFolderWatch() {
  const parents = new Map<string, string | undefined>();
  const changedIn = new Set<string>();

  return {
    add: (item: DriveItem) => {
      const parent = item.parentReference?.id;
      if (item.deleted !== undefined && item.folder !== undefined) throw fullSyncNeeded('A folder was deleted.');
      if (item.root !== undefined) return;
      if (item.folder !== undefined) parents.set(item.id, parent);
      else if (parent !== undefined) changedIn.add(parent);
      if (parents.size > MAX_FOLDERS) throw fullSyncNeeded('Many folders changed.');
    },
    check: () => {
      const explained = new Set<string>();
      for (const start of changedIn) {
        for (let at: string | undefined = start; at !== undefined && !explained.has(at); at = parents.get(at)) {
          explained.add(at);
        }
      }
      for (const folder of parents.keys()) {
        if (!explained.has(folder)) throw fullSyncNeeded('A folder was created, renamed or moved.');
      }
    },
  };
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
    const folders = createFolderWatch();
    for (let link: string | undefined = positions[drive]; link !== undefined; ) {
      const page: DeltaPage = await context.api.delta(call, drive, link).catch((error: unknown) => {
        const isUnknown = error instanceof ResyncRequired || (error instanceof SourceError && error.kind === 'invalid');
        throw isUnknown ? fullSyncNeeded('The position in the list of changes has expired.', error) : error;
      });
      for (const item of page.items.items) folders.add(item);
      yield* itemEvents(context, call, { drive, page, paths, reportsUnwanted: true });
      if (page.next === link) throw new SourceError('transient', 'Microsoft 365 returned the same changes again.');
      positions[drive] = page.next ?? page.delta ?? link;
      if (page.next === undefined) folders.check();
      yield { type: 'checkpoint', at: JSON.stringify({ drives: positions } satisfies Cursor) };
      link = page.next;
    }
  }
  yield { type: 'complete', authoritative: false };
}
