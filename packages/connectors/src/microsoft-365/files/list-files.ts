import type { ConnectorCall } from '#connector';
import { failedEntry } from '#http/entries';
import { orNull } from '#http/or-null';
import { type DriveItem, isFile, itemId, refOfItem } from '#microsoft-365/files/drive-item';
import type { FilesApi } from '#microsoft-365/files/files-api';
import { createFolderPaths, type FolderPaths, pathOfItem } from '#microsoft-365/files/folder-paths';
import type { FilesPlace, Places } from '#microsoft-365/files/places';
import { type DeltaPage, lastOfEach } from '#microsoft-365/listing/delta-page';
import { followPages } from '#microsoft-365/listing/follow-pages';
import { listPlaces, type PlaceLister, type Unit } from '#microsoft-365/listing/list-places';
import { isUnreadable } from '#readers/reader-lists';
import type { PathFilter } from '#settings/path-filter';
import type { SourceEvent } from '#source';
import { SourceError } from '#source-error';

export interface ListingContext {
  readonly api: FilesApi;
  readonly places: Places;
  readonly isWanted: PathFilter;
}

interface DrivePage {
  readonly drive: string;
  readonly page: DeltaPage<DriveItem>;
  readonly paths: FolderPaths;
  /** True if a file outside of the path filter is reported as gone: it can have moved there. */
  readonly reportsUnwanted: boolean;
}

/** Returns a file from a list with its path; undefined if it no longer exists. */
async function findFile(
  { api }: ListingContext,
  call: ConnectorCall,
  { drive, paths }: Pick<DrivePage, 'drive' | 'paths'>,
  item: DriveItem,
): Promise<{ readonly item: DriveItem; readonly path: string } | undefined> {
  const path = await paths.pathOf(call, drive, item);
  if (path !== undefined) return { item, path };
  // Its folder was deleted. The file can have moved to another one before.
  const current = await orNull(api.item(call, drive, item.id));
  return current === null || !isFile(current) ? undefined : { item: current, path: pathOfItem(current) };
}

/** Returns the event for a file from a list. A file in an unreadable folder fails alone. */
async function fileEvent(
  context: ListingContext,
  call: ConnectorCall,
  page: DrivePage,
  item: DriveItem,
): Promise<SourceEvent | undefined> {
  const { drive, reportsUnwanted } = page;
  const id = itemId(drive, item.id);
  try {
    const file = await findFile(context, call, page, item);
    if (file !== undefined && context.isWanted(file.path)) {
      return { type: 'item', ref: refOfItem(drive, file.item, file.path) };
    }
    return reportsUnwanted ? { type: 'gone', id } : undefined;
  } catch (error) {
    if (!(error instanceof SourceError) || !isUnreadable(error)) throw error;
    const message = `The folder of the file is unreadable. ${error.message}`;
    return { type: 'failed', id, path: item.name ?? id, error: { code: error.kind, message } };
  }
}

/** Yields the events of a page. Notes its folders first, because a file can come before its folder. */
export async function* itemEvents(
  context: ListingContext,
  call: ConnectorCall,
  drivePage: DrivePage,
): AsyncGenerator<SourceEvent, void, void> {
  const { drive, page, paths } = drivePage;
  for (const entry of page.items.unreadable) {
    const id = entry.id === undefined ? undefined : itemId(drive, entry.id);
    yield failedEntry(entry, { id, what: 'the list of files' });
  }
  const items = lastOfEach(page.items.items);
  for (const item of items) if (item.folder !== undefined || item.root !== undefined) paths.note(drive, item);
  for (const item of items) {
    if (item.deleted !== undefined) {
      if (item.folder === undefined) yield { type: 'gone', id: itemId(drive, item.id) };
    } else if (isFile(item)) {
      const event = await fileEvent(context, call, drivePage, item);
      if (event !== undefined) yield event;
    }
  }
}

const words = { places: 'the list of sites and users', units: 'the list of libraries' };

/**
 * Lists the libraries of all places with delta queries, the only way that returns every file while
 * files change.
 * https://learn.microsoft.com/en-us/graph/api/driveitem-delta
 */
export function listFiles(
  context: ListingContext,
  call: ConnectorCall,
  from: string | undefined,
): AsyncGenerator<SourceEvent, void, void> {
  const { api, places } = context;
  const lister: PlaceLister<FilesPlace, Unit> = {
    words,
    find: places.find,
    units: async (own, place) => {
      const { items, unreadable } = await places.drives(own, place);
      return { items: items.map((id) => ({ id })), unreadable };
    },
    async *list(own, _place, { id: drive }, link) {
      const paths = createFolderPaths(api);
      const read = (at: string | undefined) => api.delta(own, drive, at);
      for await (const page of followPages({ read, from: link, what: 'files of a library' })) {
        yield* itemEvents(context, own, { drive, page, paths, reportsUnwanted: false });
        yield { type: 'position', link: page.next };
      }
    },
  };
  return listPlaces(lister, call, from);
}
