import { createCache } from '@lectern/resilience';
import type { ConnectorCall } from '#connector';
import type { Entries, UnreadableEntry } from '#http/entries';
import { orNull } from '#http/or-null';
import type { DirectoryApi } from '#microsoft-365/directory/directory-api';
import type { FilesApi } from '#microsoft-365/files/files-api';
import type { BatchResult } from '#microsoft-365/graph-http';
import {
  ALL,
  type FoundPlaces,
  type Place,
  sortedPlaces,
  type UnreadablePlace,
} from '#microsoft-365/listing/list-places';
import { isUnreadable } from '#readers/reader-lists';
import { SourceError } from '#source-error';

export interface Scope {
  readonly sites: readonly string[];
  readonly oneDrives: readonly string[];
}

/** A site, or a user with a OneDrive. */
export interface FilesPlace extends Place {
  readonly kind: 'site' | 'user';
  readonly id: string;
}

type FoundFilesPlaces = FoundPlaces<FilesPlace>;

const placeOf = (kind: FilesPlace['kind'], id: string, isFromAll: boolean): FilesPlace => ({
  ...{ kind, id, isFromAll, key: `${kind}:${id}` },
});

/** The libraries of the places that the config names. */
interface NamedDrives {
  readonly drives: ReadonlySet<string>;
  /** False if a place was unreadable: others can be missing. */
  readonly isComplete: boolean;
}

const CACHE_MS = 10 * 60_000;
const MAX_CACHED = 10_000;

/** The sites and users of a connector, and their libraries. */
export interface Places {
  find(call: ConnectorCall): Promise<FoundFilesPlaces>;
  /** Returns the ids of the libraries of a place, sorted. */
  drives(call: ConnectorCall, place: FilesPlace): Promise<Entries<string>>;
  /**
   * True if the connector covers this library. Throws `forbidden` if that is unknown, because a
   * place is unreadable.
   */
  includes(call: ConnectorCall, driveId: string): Promise<boolean>;
}

/** True for the sites that contain OneDrive, and those in which applications like Loop store files. */
function isInternalSite(webUrl: string | undefined): boolean {
  const url = URL.parse(webUrl ?? '');
  if (url === null) return false;
  return /^[^.]+-my\./.test(url.hostname) || /^\/(personal|contentstorage)\//i.test(url.pathname);
}

const isAll = (entries: readonly string[]): boolean => entries.includes(ALL);

export function createPlaces(api: FilesApi & DirectoryApi, scope: Scope): Places {
  const named = createCache<string, NamedDrives>({ maxEntries: 1, ttlMs: CACHE_MS });
  const types = createCache<string, string>({ maxEntries: MAX_CACHED, ttlMs: CACHE_MS });

  const findNamed = async (call: ConnectorCall): Promise<FoundFilesPlaces> => {
    const places: FilesPlace[] = [];
    const unreadable: UnreadablePlace[] = [];
    const add = (
      kind: FilesPlace['kind'],
      names: readonly string[],
      results: readonly BatchResult<{ id: string }>[],
    ) => {
      for (const [at, result] of results.entries()) {
        if ('error' in result) unreadable.push({ name: names[at] ?? kind, error: result.error });
        else places.push(placeOf(kind, result.value.id, false));
      }
    };
    if (!isAll(scope.sites)) add('site', scope.sites, await api.sites(call, scope.sites));
    if (!isAll(scope.oneDrives)) add('user', scope.oneDrives, await api.users(call, scope.oneDrives));
    return { places, unreadable, unreadableEntries: [] };
  };

  const find = async (call: ConnectorCall): Promise<FoundFilesPlaces> => {
    const { places, unreadable } = await findNamed(call);
    const all: FilesPlace[] = [...places];
    const unreadableEntries: UnreadableEntry[] = [];
    if (isAll(scope.sites)) {
      for await (const page of api.allSites(call)) {
        unreadableEntries.push(...page.unreadable);
        for (const { id, webUrl } of page.items) {
          if (!isInternalSite(webUrl)) all.push(placeOf('site', id, true));
        }
      }
    }
    if (isAll(scope.oneDrives)) {
      for await (const page of api.allUsers(call)) {
        unreadableEntries.push(...page.unreadable);
        for (const { id } of page.items) all.push(placeOf('user', id, true));
      }
    }
    return { places: sortedPlaces(all), unreadable, unreadableEntries };
  };

  const drives = async (call: ConnectorCall, place: FilesPlace): Promise<Entries<string>> => {
    if (place.kind === 'user') {
      const { id } = await api.userDrive(call, place.id);
      return { items: [id], unreadable: [] };
    }
    const ids = new Set<string>();
    const unreadable: UnreadableEntry[] = [];
    for await (const page of api.siteDrives(call, place.id)) {
      for (const { id } of page.items) ids.add(id);
      unreadable.push(...page.unreadable);
    }
    return { items: [...ids].sort(), unreadable };
  };

  /**
   * Returns true if a place that the config names has this library. Throws `forbidden` if the
   * library can be in a place that could not be read.
   */
  const isNamed = async (call: ConnectorCall, driveId: string): Promise<boolean> => {
    const cached = named.get('');
    if (cached?.drives.has(driveId) === true) return true;
    if (cached?.isComplete === true) return false;
    const { places, unreadable } = await findNamed(call);
    const found = new Set<string>();
    let problem = unreadable[0]?.error;
    for (const place of places) {
      try {
        const { items, unreadable: entries } = await drives(call, place);
        for (const id of items) found.add(id);
        const [entry] = entries;
        if (entry !== undefined) problem ??= new SourceError('invalid', `A library is unreadable: ${entry.problem}.`);
      } catch (error) {
        if (!(error instanceof SourceError) || !isUnreadable(error)) throw error;
        problem ??= error;
      }
    }
    named.set('', { drives: found, isComplete: problem === undefined });
    if (problem === undefined || found.has(driveId)) return found.has(driveId);
    throw new SourceError('forbidden', `A site, user or library is unreadable: ${problem.message}`, { cause: problem });
  };

  /** Undefined if the library does not exist. That is not cached, because it can be restored. */
  const typeOf = async (call: ConnectorCall, driveId: string): Promise<string | undefined> => {
    const cached = types.get(driveId);
    if (cached !== undefined) return cached;
    const drive = await orNull(api.drive(call, driveId));
    if (drive === null) return undefined;
    const type = drive.driveType ?? '';
    types.set(driveId, type);
    return type;
  };

  /**
   * Throws if the application may not see all sites or users: then a library that Graph does not
   * find can exist.
   */
  const checkAccessToAll = async (call: ConnectorCall): Promise<void> => {
    if (isAll(scope.sites)) for await (const _ of api.allSites(call)) break;
    if (isAll(scope.oneDrives)) for await (const _ of api.allUsers(call)) break;
  };

  return {
    find,
    drives,
    includes: async (call, driveId) => {
      const isAny = isAll(scope.sites) || isAll(scope.oneDrives);
      const type = isAny ? await typeOf(call, driveId) : '';
      if (isAll(scope.sites) && type === 'documentLibrary') return true;
      if (isAll(scope.oneDrives) && type === 'business') return true;
      if (type === undefined) await checkAccessToAll(call);
      return isNamed(call, driveId);
    },
  };
}
