import { createCache } from '@lectern/resilience';
import type { ConnectorCall } from '#connector';
import type { Entries, UnreadableEntry } from '#http/entries';
import { orNull } from '#http/or-null';
import type { GraphApi } from '#microsoft-365/graph-api';
import type { BatchResult } from '#microsoft-365/graph-http';
import { isUnreadable } from '#readers/reader-lists';
import type { SourceError } from '#source-error';

/** The entry that selects all sites, or the OneDrive of all users. */
export const ALL = 'all';

export interface Scope {
  readonly sites: readonly string[];
  readonly oneDrives: readonly string[];
}

/** A site, or a user with a OneDrive. */
export interface Place {
  readonly kind: 'site' | 'user';
  readonly id: string;
  /** True if the config does not name it: it can be missing. */
  readonly isFromAll: boolean;
}

/** The order of the places in a listing. */
export const keyOf = ({ kind, id }: Place): string => `${kind}:${id}`;

/** A site or user that could not be read. */
export interface UnreadablePlace {
  readonly name: string;
  readonly error: SourceError;
}

interface FoundPlaces {
  /** Sorted by `keyOf`, each once. */
  readonly places: readonly Place[];
  readonly unreadable: readonly UnreadablePlace[];
  readonly unreadableEntries: readonly UnreadableEntry[];
}

const CACHE_MS = 10 * 60_000;
const MAX_CACHED = 10_000;

/** The sites and users of a connector, and their libraries. */
export interface Places {
  find(call: ConnectorCall): Promise<FoundPlaces>;
  /** Returns the ids of the libraries of a place, sorted. */
  drives(call: ConnectorCall, place: Place): Promise<Entries<string>>;
  /** True if the connector covers this library. */
  includes(call: ConnectorCall, driveId: string): Promise<boolean>;
}

/** True for the sites that contain OneDrive, and those in which applications like Loop store files. */
function isInternalSite(webUrl: string | undefined): boolean {
  const url = URL.parse(webUrl ?? '');
  if (url === null) return false;
  return /^[^.]+-my\./.test(url.hostname) || /^\/(personal|contentstorage)\//i.test(url.pathname);
}

const isAll = (entries: readonly string[]): boolean => entries.includes(ALL);

export function createPlaces(api: GraphApi, scope: Scope): Places {
  const named = createCache<string, ReadonlySet<string>>({ maxEntries: 1, ttlMs: CACHE_MS });
  const types = createCache<string, string>({ maxEntries: MAX_CACHED, ttlMs: CACHE_MS });

  const findNamed = async (call: ConnectorCall): Promise<FoundPlaces> => {
    const places: Place[] = [];
    const unreadable: UnreadablePlace[] = [];
    const add = (kind: Place['kind'], names: readonly string[], results: readonly BatchResult<{ id: string }>[]) => {
      for (const [at, result] of results.entries()) {
        if ('error' in result) unreadable.push({ name: names[at] ?? kind, error: result.error });
        else places.push({ kind, id: result.value.id, isFromAll: false });
      }
    };
    if (!isAll(scope.sites)) add('site', scope.sites, await api.sites(call, scope.sites));
    if (!isAll(scope.oneDrives)) add('user', scope.oneDrives, await api.users(call, scope.oneDrives));
    return { places, unreadable, unreadableEntries: [] };
  };

  const find = async (call: ConnectorCall): Promise<FoundPlaces> => {
    const { places, unreadable } = await findNamed(call);
    const all: Place[] = [...places];
    const unreadableEntries: UnreadableEntry[] = [];
    if (isAll(scope.sites)) {
      for await (const page of api.allSites(call)) {
        unreadableEntries.push(...page.unreadable);
        for (const { id, webUrl } of page.items) {
          if (!isInternalSite(webUrl)) all.push({ kind: 'site', id, isFromAll: true });
        }
      }
    }
    if (isAll(scope.oneDrives)) {
      for await (const page of api.allUsers(call)) {
        unreadableEntries.push(...page.unreadable);
        for (const { id } of page.items) all.push({ kind: 'user', id, isFromAll: true });
      }
    }
    const sorted = [...new Map(all.map((place) => [keyOf(place), place])).entries()].sort(([a], [b]) =>
      a < b ? -1 : 1,
    );
    return { places: sorted.map(([, place]) => place), unreadable, unreadableEntries };
  };

  const drives = async (call: ConnectorCall, place: Place): Promise<Entries<string>> => {
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

  /** The libraries of the places that the config names. */
  const namedDrives = async (call: ConnectorCall): Promise<ReadonlySet<string>> => {
    const cached = named.get('');
    if (cached !== undefined) return cached;
    const found = new Set<string>();
    for (const place of (await findNamed(call)).places) {
      try {
        for (const id of (await drives(call, place)).items) found.add(id);
      } catch (error) {
        if (!isUnreadable(error)) throw error;
      }
    }
    named.set('', found);
    return found;
  };

  const typeOf = async (call: ConnectorCall, driveId: string): Promise<string> => {
    const type = types.get(driveId) ?? (await orNull(api.drive(call, driveId)))?.driveType ?? '';
    types.set(driveId, type);
    return type;
  };

  return {
    find,
    drives,
    includes: async (call, driveId) => {
      const type = isAll(scope.sites) || isAll(scope.oneDrives) ? await typeOf(call, driveId) : '';
      if (isAll(scope.sites) && type === 'documentLibrary') return true;
      if (isAll(scope.oneDrives) && type === 'business') return true;
      return (await namedDrives(call)).has(driveId);
    },
  };
}
