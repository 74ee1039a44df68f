import { z } from 'zod';
import type { ConnectorCall } from '#connector';
import { failedEntry } from '#http/entries';
import { orNull } from '#http/or-null';
import { type DriveItem, isFile, itemId, refOfItem } from '#microsoft-365/drive-item';
import { createFolderPaths, type FolderPaths, pathOfItem } from '#microsoft-365/folder-paths';
import type { DeltaPage, GraphApi } from '#microsoft-365/graph-api';
import { keyOf, type Place, type Places, type UnreadablePlace } from '#microsoft-365/places';
import { ResyncRequired } from '#microsoft-365/read-error';
import { isUnreadable } from '#readers/reader-lists';
import type { PathFilter } from '#settings/path-filter';
import { type SourceEvent, UNREADABLE_ENTRY } from '#source';
import { SourceError } from '#source-error';

export interface ListingContext {
  readonly api: GraphApi;
  readonly places: Places;
  readonly isWanted: PathFilter;
}

/** The position of a listing: sites, then users, and the libraries of each by id. */
const Checkpoint = z.object({
  place: z.string(),
  /** Undefined after all libraries of the place. */
  drive: z.string().optional(),
  /** The next page of the library; undefined after its last one. */
  link: z.string().optional(),
  /** True if a site, user or library could not be read. */
  incomplete: z.boolean(),
});
type Checkpoint = z.infer<typeof Checkpoint>;

/** The maximum number of pages of one library, or of its changes: at most ten million files. */
export const MAX_LIBRARY_PAGES = 20_000;
/** The links of a library can expire during a listing. Then the library starts again. */
const MAX_RESTARTS = 3;

const parse = (from: string | undefined): Checkpoint | undefined =>
  from === undefined ? undefined : Checkpoint.parse(JSON.parse(from));

const failedPlace = ({ name, error }: UnreadablePlace): SourceEvent => ({
  type: 'failed',
  id: `place:${name}`,
  path: name,
  error: { code: UNREADABLE_ENTRY, message: `${error.message} This sync deletes nothing.` },
});

/** Returns each item of a page once: an item can occur several times, and the last one counts. */
const lastOfEach = (items: readonly DriveItem[]): readonly DriveItem[] => [
  ...new Map(items.map((item) => [item.id, item])).values(),
];

/** Reads the page at a link. `undefined` means that the library has to start again. */
async function readPage(
  { api }: ListingContext,
  call: ConnectorCall,
  {
    drive,
    link,
    isResumed,
  }: { readonly drive: string; readonly link: string | undefined; readonly isResumed: boolean },
): Promise<DeltaPage | undefined> {
  try {
    return await api.delta(call, drive, link);
  } catch (error) {
    const isLost =
      error instanceof ResyncRequired || (isResumed && error instanceof SourceError && error.kind === 'invalid');
    if (link === undefined || !isLost) throw error;
    return undefined;
  }
}

interface DrivePage {
  readonly drive: string;
  readonly page: DeltaPage;
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

/** Lists one library. Yields each position with the events before it. */
async function* listDrive(
  context: ListingContext,
  call: ConnectorCall,
  { drive, from }: { readonly drive: string; readonly from: string | undefined },
): AsyncGenerator<SourceEvent | { readonly type: 'position'; readonly link: string | undefined }, void, void> {
  const paths = createFolderPaths(context.api);
  let link = from;
  let isResumed = from !== undefined;
  let restarts = 0;
  for (let pages = 1; ; pages += 1) {
    if (pages > MAX_LIBRARY_PAGES) {
      throw new SourceError('invalid', 'Microsoft 365 returned too many pages of files of a library.');
    }
    const page = await readPage(context, call, { drive, link, isResumed });
    isResumed = false;
    if (page === undefined) {
      restarts += 1;
      if (restarts > MAX_RESTARTS) {
        throw new SourceError('transient', 'Microsoft 365 repeatedly lost the position in a list of files.');
      }
      link = undefined;
      continue;
    }
    yield* itemEvents(context, call, { drive, page, paths, reportsUnwanted: false });
    if (page.next !== undefined && page.next === link) {
      throw new SourceError('transient', 'Microsoft 365 returned the same page of files again.');
    }
    link = page.next;
    yield { type: 'position', link };
    if (link === undefined) return;
  }
}

/**
 * Returns the libraries of a place, or the event for one that could not be read. A site or OneDrive
 * that the config does not name can be missing.
 */
async function readDrives({ places }: ListingContext, call: ConnectorCall, place: Place) {
  try {
    const { items, unreadable } = await places.drives(call, place);
    const what = 'the list of libraries';
    return { drives: items, failed: unreadable.map((entry) => failedEntry(entry, { id: undefined, what })) };
  } catch (error) {
    if (!(error instanceof SourceError) || !isUnreadable(error)) throw error;
    const isMissing = place.isFromAll && error.kind === 'gone';
    return { drives: [], failed: isMissing ? [] : [failedPlace({ name: keyOf(place), error })] };
  }
}

/**
 * Lists the libraries of all places with delta queries, the only way that returns every file while
 * files change. A file that moves between libraries can be missed, so the result has `confirmGone`.
 * https://learn.microsoft.com/en-us/graph/api/driveitem-delta
 */
export async function* listFiles(
  context: ListingContext,
  call: ConnectorCall,
  from: string | undefined,
): AsyncGenerator<SourceEvent, void, void> {
  const start = parse(from);
  const found = await context.places.find(call);
  let incomplete = start?.incomplete === true || found.unreadable.length + found.unreadableEntries.length > 0;
  for (const place of found.unreadable) yield failedPlace(place);
  for (const entry of found.unreadableEntries) {
    yield failedEntry(entry, { id: undefined, what: 'the list of sites and users', hides: true });
  }
  const checkpoint = (at: Omit<Checkpoint, 'incomplete'>): SourceEvent => ({
    type: 'checkpoint',
    at: JSON.stringify({ ...at, incomplete } satisfies Checkpoint),
  });
  for (const place of found.places) {
    const key = keyOf(place);
    const resumed = start?.place === key ? start : undefined;
    if (start !== undefined && (key < start.place || (resumed !== undefined && resumed.drive === undefined))) continue;
    const { drives, failed } = await readDrives(context, call, place);
    yield* failed;
    incomplete ||= failed.length > 0;
    for (const drive of drives) {
      const link = resumed?.drive === drive ? resumed.link : undefined;
      const isDone =
        resumed?.drive !== undefined && (drive < resumed.drive || (drive === resumed.drive && link === undefined));
      if (isDone) continue;
      try {
        for await (const event of listDrive(context, call, { drive, from: link })) {
          if (event.type === 'position') yield checkpoint({ place: key, drive, link: event.link });
          else yield event;
        }
      } catch (error) {
        if (!(error instanceof SourceError) || !isUnreadable(error)) throw error;
        incomplete = true;
        yield failedPlace({ name: drive, error });
      }
    }
    yield checkpoint({ place: key });
  }
  yield { type: 'complete', authoritative: !incomplete, confirmGone: true };
}
