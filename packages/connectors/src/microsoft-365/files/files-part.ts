import { orNull } from '#http/or-null';
import type { DirectoryApi } from '#microsoft-365/directory/directory-api';
import { isFile, parseItemId, refOfItem } from '#microsoft-365/files/drive-item';
import type { FilesApi } from '#microsoft-365/files/files-api';
import { pathOfItem } from '#microsoft-365/files/folder-paths';
import { type ListingContext, listFiles } from '#microsoft-365/files/list-files';
import { createPlaces, type FilesPlace, type Scope } from '#microsoft-365/files/places';
import { createFilesFeed } from '#microsoft-365/files/read-changes';
import { readContent } from '#microsoft-365/files/read-content';
import { createSiteGroups, type PermissionContext, readPermissions } from '#microsoft-365/files/read-permissions';
import type { GraphHttp } from '#microsoft-365/graph-http';
import { readChanges, readCursor } from '#microsoft-365/listing/change-feed';
import type { Part } from '#microsoft-365/part';
import { createPathFilter } from '#settings/path-filter';
import { SourceError } from '#source-error';

export interface FilesScope extends Scope {
  readonly pathFilter: readonly string[];
}

/** The number of places in which a test looks for a library. */
const TESTED_PLACES = 5;

function createChecks({ api, places }: ListingContext): Part['checks'] {
  return (call) => {
    let found: readonly FilesPlace[] = [];
    return [
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
    ];
  };
}

export interface FilesPartContext extends PermissionContext {
  readonly api: FilesApi & DirectoryApi;
  readonly http: GraphHttp;
  readonly maxItemBytes: number;
}

/** The files of the libraries of sites, and of the OneDrive of users. */
export function createFilesPart(context: FilesPartContext, scope: FilesScope): Part {
  const { api } = context;
  const places = createPlaces(api, scope);
  const isWanted = createPathFilter(scope.pathFilter);
  const listing: ListingContext = { api, places, isWanted };
  const feed = createFilesFeed(listing);
  const siteGroupOf = createSiteGroups(api);
  return {
    name: 'files',
    label: 'SharePoint and OneDrive',
    owns: (id) => parseItemId(id) !== undefined,
    checks: createChecks(listing),
    list: (call, from) => listFiles(listing, call, from),
    cursor: (call) => readCursor(feed, call),
    changes: (call, from) => readChanges(feed, call, from),
    resolve: async (call, id) => {
      const parsed = parseItemId(id);
      if (parsed === undefined || !(await places.includes(call, parsed.driveId))) return null;
      const item = await orNull(api.item(call, parsed.driveId, parsed.id));
      if (item === null || !isFile(item)) return null;
      const path = pathOfItem(item);
      return isWanted(path) ? refOfItem(parsed.driveId, item, path) : null;
    },
    fetch: (call, ref) => readContent(context, call, ref),
    permissions: (call, refs) => readPermissions(context, siteGroupOf, call, refs),
  };
}
