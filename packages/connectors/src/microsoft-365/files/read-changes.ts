import { wholeList } from '#http/entries';
import type { DriveItem } from '#microsoft-365/files/drive-item';
import { createFolderPaths } from '#microsoft-365/files/folder-paths';
import { itemEvents, type ListingContext } from '#microsoft-365/files/list-files';
import { type ChangeFeed, fullSyncNeeded } from '#microsoft-365/listing/change-feed';
import { isUnreadable } from '#readers/reader-lists';

/** With more libraries, a cursor is too large, and each sync lists all files. */
const MAX_DRIVES = 200;

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

/** The changes of all libraries. */
export function createFilesFeed(context: ListingContext): ChangeFeed<string, DriveItem> {
  const { api, places } = context;
  return {
    words: { unit: 'library', units: 'libraries' },
    maxUnits: MAX_DRIVES,
    units: async (call) => {
      const { places: found, unreadableEntries } = await places.find(call);
      wholeList({ items: [], unreadable: unreadableEntries }, 'the list of sites and users');
      const drives = new Map<string, string>();
      for (const place of found) {
        try {
          for (const id of wholeList(await places.drives(call, place), 'the list of libraries')) drives.set(id, id);
        } catch (error) {
          if (!isUnreadable(error)) throw error;
        }
        // The feed rejects so many; the rest is not needed.
        if (drives.size > MAX_DRIVES) break;
      }
      return drives;
    },
    latest: (call, drive) => api.latest(call, drive),
    read: (call, link) => api.changes(call, link),
    events: (drive) => {
      const paths = createFolderPaths(api);
      return async function* (call, page) {
        // Before the position is stored, so that a later job cannot miss a folder.
        for (const item of page.items.items) checkFolder(item);
        yield* itemEvents(context, call, { drive, page, paths, reportsUnwanted: true });
      };
    },
  };
}
