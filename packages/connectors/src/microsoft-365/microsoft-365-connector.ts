import { runChecks } from '#checks/run-checks';
import type { Connector, ConnectorCall } from '#connector';
import type { ConnectorHost } from '#host';
import { orNull } from '#http/or-null';
import { isFile, parseItemId, refOfItem } from '#microsoft-365/drive-item';
import { pathOfItem } from '#microsoft-365/folder-paths';
import { createGraphApi } from '#microsoft-365/graph-api';
import { createGraphHttp, type GraphSettings } from '#microsoft-365/graph-http';
import { type ListingContext, listFiles } from '#microsoft-365/list-files';
import { createPeople, siteOf } from '#microsoft-365/people';
import { createPlaces, type Place, type Scope } from '#microsoft-365/places';
import { readChanges, readCursor } from '#microsoft-365/read-changes';
import { readContent } from '#microsoft-365/read-content';
import { createSiteGroups, readGroups, readPermissions } from '#microsoft-365/read-permissions';
import { createPathFilter } from '#settings/path-filter';
import type { SourceRef } from '#source';
import { SourceError } from '#source-error';

export interface Microsoft365Settings extends GraphSettings, Scope {
  readonly pathFilter: readonly string[];
}

/** The number of places in which a test looks for a library. */
const TESTED_PLACES = 5;

function testConnection({ api, places }: ListingContext, call: ConnectorCall) {
  let found: readonly Place[] = [];
  return runChecks([
    [
      'sites and users',
      async () => {
        const { places: all, unreadable } = await places.find(call);
        const [first] = unreadable;
        if (first !== undefined) throw new SourceError('invalid', `${first.name}: ${first.error.message}`);
        found = all;
        return `${all.length} sites and users were found.`;
      },
    ],
    [
      'files',
      async () => {
        for (const place of found.slice(0, TESTED_PLACES)) {
          // A user of the tenant can be without a OneDrive.
          const drives = await (place.isFromAll ? orNull(places.drives(call, place)) : places.drives(call, place));
          const [drive] = drives?.items ?? [];
          if (drive === undefined) continue;
          await api.delta(call, drive, undefined);
          return 'Files can be listed.';
        }
        return 'Libraries can be listed; the first ones contain no files.';
      },
    ],
    [
      'people and groups',
      async () => {
        for await (const _ of api.allUsers(call)) break;
        for await (const _ of api.allGroups(call)) break;
        return 'Users and groups can be listed.';
      },
    ],
  ]);
}

/** Opens the libraries of sites, and the OneDrive of users. */
export function openMicrosoft365(
  settings: Microsoft365Settings,
  host: Pick<ConnectorHost, 'egress' | 'maxItemBytes'>,
): Connector {
  const http = createGraphHttp(settings, host);
  const api = createGraphApi(http);
  const places = createPlaces(api, settings);
  const isWanted = createPathFilter(settings.pathFilter);
  const listing: ListingContext = { api, places, isWanted };
  const readers = { api, people: createPeople(api), site: siteOf(settings) };
  const siteGroupOf = createSiteGroups(api);
  const content = { api, http, maxItemBytes: host.maxItemBytes };

  const resolve = async (call: ConnectorCall, id: string): Promise<SourceRef | null> => {
    const parsed = parseItemId(id);
    if (parsed === undefined || !(await places.includes(call, parsed.driveId))) return null;
    const item = await orNull(api.item(call, parsed.driveId, parsed.id));
    if (item === null || !isFile(item)) return null;
    const path = pathOfItem(item);
    return isWanted(path) ? refOfItem(parsed.driveId, item, path) : null;
  };

  return {
    test: (call) => testConnection(listing, call),
    list: (call, from) => listFiles(listing, call, from),
    cursor: (call) => readCursor(listing, call),
    changes: (call, from) => readChanges(listing, call, from),
    resolve,
    fetch: (call, ref) => readContent(content, call, ref),
    permissions: (call, refs) => readPermissions(readers, siteGroupOf, call, refs),
    groups: (call) => readGroups(readers, call),
  };
}
