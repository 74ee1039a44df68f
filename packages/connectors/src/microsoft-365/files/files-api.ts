import { z } from 'zod';
import type { ConnectorCall } from '#connector';
import type { Entries } from '#http/entries';
import { DriveItem, ITEM_FIELDS } from '#microsoft-365/files/drive-item';
import { Permission } from '#microsoft-365/files/permission';
import type { BatchResult, GraphHttp } from '#microsoft-365/graph-http';
import { batched, batchedLists } from '#microsoft-365/graph-lists';
import { encodePart, query } from '#microsoft-365/graph-query';
import { type DeltaPage, deltaPage, deltaResponse } from '#microsoft-365/listing/delta-page';

/** The maximum number of items on a page of files. */
const PAGE_SIZE = 500;

const Site = z.object({ id: z.string().min(1), webUrl: z.string().optional() });
type Site = z.infer<typeof Site>;

const Drive = z.object({
  id: z.string().min(1),
  driveType: z.string().optional(),
  owner: z.object({ group: z.object({ id: z.string().optional() }).optional() }).optional(),
});
type Drive = z.infer<typeof Drive>;

const FilesResponse = deltaResponse(DriveItem);

/**
 * Leaves out unchanged folders above changed items. The reference names a header; some servers expect
 * a preference. https://learn.microsoft.com/en-us/graph/api/driveitem-delta
 */
const ONLY_CHANGED = { deltaexcludeparent: 'true', prefer: 'deltaExcludeParent' } as const;

/** Requests for sites, libraries and files. */
export interface FilesApi {
  /** Finds named sites, in their order. */
  sites(call: ConnectorCall, sites: readonly string[]): Promise<readonly BatchResult<Site>[]>;
  allSites(call: ConnectorCall): AsyncGenerator<Entries<Site>, void, void>;
  siteDrives(call: ConnectorCall, siteId: string): AsyncGenerator<Entries<Drive>, void, void>;
  userDrive(call: ConnectorCall, userId: string): Promise<Drive>;
  drive(call: ConnectorCall, driveId: string): Promise<Drive>;
  /** Reads a page of the files of a drive, from a link or the beginning. */
  delta(call: ConnectorCall, driveId: string, link: string | undefined): Promise<DeltaPage<DriveItem>>;
  /**
   * Reads a page of changes from a link. Leaves out the unchanged folders above changed items, but
   * not the root.
   */
  changes(call: ConnectorCall, link: string): Promise<DeltaPage<DriveItem>>;
  /** Returns the address of later changes. */
  latest(call: ConnectorCall, driveId: string): Promise<string>;
  /** Reads one item with its path and its download address. */
  item(call: ConnectorCall, driveId: string, id: string): Promise<DriveItem>;
  /** Reads the permissions of up to 20 items, in their order. */
  permissions(
    call: ConnectorCall,
    items: readonly { readonly driveId: string; readonly id: string }[],
  ): Promise<readonly BatchResult<Entries<Permission>>[]>;
}

const drivePath = (driveId: string) => `/drives/${encodePart(driveId)}`;
const itemPath = (driveId: string, id: string) => `${drivePath(driveId)}/items/${encodePart(id)}`;

/**
 * Returns the path of a site: by its id, or by host and path.
 * https://learn.microsoft.com/en-us/graph/api/site-getbypath
 */
function sitePath(site: string): string {
  const url = URL.parse(site);
  if (url === null) return `/sites/${encodePart(site)}`;
  // Already percent-encoded, except for the colon that would end the path.
  const path = url.pathname.replace(/\/+$/, '').replaceAll(':', '%3A');
  return path === '' ? `/sites/${url.hostname}` : `/sites/${url.hostname}:${path}`;
}

export function createFilesApi(http: GraphHttp): FilesApi {
  return {
    sites: (call, sites) =>
      batched(
        http,
        call,
        sites.map((site) => ({ path: sitePath(site), what: `the site ${site}` })),
        Site,
      ),
    allSites: (call) => http.pages(call, { path: '/sites/getAllSites', what: 'the list of sites' }, Site),
    siteDrives: (call, siteId) => {
      const path = `/sites/${encodePart(siteId)}/drives?${query({ $select: 'id,driveType' })}`;
      return http.pages(call, { path, what: `the libraries of the site ${siteId}` }, Drive);
    },
    userDrive: (call, userId) =>
      http.get(
        call,
        { path: `/users/${encodePart(userId)}/drive?$select=id,driveType`, what: `the OneDrive of ${userId}` },
        Drive,
      ),
    drive: (call, driveId) =>
      http.get(
        call,
        { path: `${drivePath(driveId)}?$select=id,driveType,owner`, what: `the library ${driveId}` },
        Drive,
      ),
    delta: async (call, driveId, link) => {
      const what = 'the list of files';
      const path = `${drivePath(driveId)}/root/delta?${query({ $select: ITEM_FIELDS, $top: String(PAGE_SIZE) })}`;
      const page = await (link === undefined
        ? http.get(call, { path, what }, FilesResponse)
        : http.follow(call, link, { what }, FilesResponse));
      return deltaPage(page, 'files');
    },
    changes: async (call, link) => {
      const from = { what: 'the list of changes', headers: ONLY_CHANGED };
      return deltaPage(await http.follow(call, link, from, FilesResponse), 'files');
    },
    latest: async (call, driveId) => {
      const path = `${drivePath(driveId)}/root/delta?${query({ token: 'latest', $select: ITEM_FIELDS })}`;
      const schema = z.object({ '@odata.deltaLink': z.string() });
      return (await http.get(call, { path, what: 'the list of changes' }, schema))['@odata.deltaLink'];
    },
    // With `$select`, the address of the content is missing.
    item: (call, driveId, id) => http.get(call, { path: itemPath(driveId, id), what: `the file ${id}` }, DriveItem),
    permissions: (call, items) =>
      batchedLists(
        http,
        call,
        items.map(({ driveId, id }) => ({
          path: `${itemPath(driveId, id)}/permissions`,
          what: `the permissions of ${id}`,
        })),
        Permission,
      ),
  };
}
