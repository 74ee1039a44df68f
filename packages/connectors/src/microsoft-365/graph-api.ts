import { z } from 'zod';
import type { ConnectorCall } from '#connector';
import { type Entries, entriesOf } from '#http/entries';
import { DriveItem, ITEM_FIELDS } from '#microsoft-365/drive-item';
import { BATCH_SIZE, type BatchResult, type GraphHttp, type GraphRequest, pageOf } from '#microsoft-365/graph-http';
import { Permission } from '#microsoft-365/permission';
import { isUnreadable } from '#readers/reader-lists';
import { SourceError } from '#source-error';

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

export const User = z.object({
  id: z.string().min(1),
  displayName: z.string().optional(),
  mail: z.string().optional(),
  userPrincipalName: z.string().optional(),
  userType: z.string().optional(),
  accountEnabled: z.boolean().optional(),
});
export type User = z.infer<typeof User>;
const USER_FIELDS = 'id,displayName,mail,userPrincipalName,userType,accountEnabled';

const Group = z.object({
  id: z.string().min(1),
  displayName: z.string().optional(),
  groupTypes: z.array(z.string()).default([]),
  securityEnabled: z.boolean().default(false),
});
type Group = z.infer<typeof Group>;

const DeltaResponse = z.object({
  value: entriesOf(DriveItem),
  '@odata.nextLink': z.string().optional(),
  '@odata.deltaLink': z.string().optional(),
});

export interface DeltaPage {
  readonly items: Entries<DriveItem>;
  /** The next page; undefined after the last one. */
  readonly next: string | undefined;
  /** The address of later changes, after the last page. */
  readonly delta: string | undefined;
}

/**
 * Leaves out unchanged folders above changed items. The reference names a header; some servers expect
 * a preference. https://learn.microsoft.com/en-us/graph/api/driveitem-delta
 */
const ONLY_CHANGED = { deltaexcludeparent: 'true', prefer: 'deltaExcludeParent' } as const;

/** Whose members a group principal has. */
export type MemberKind = 'members' | 'owners';

/** Requests to Microsoft Graph. */
export interface GraphApi {
  /** Finds named sites, in their order. */
  sites(call: ConnectorCall, sites: readonly string[]): Promise<readonly BatchResult<Site>[]>;
  allSites(call: ConnectorCall): AsyncGenerator<Entries<Site>, void, void>;
  siteDrives(call: ConnectorCall, siteId: string): AsyncGenerator<Entries<Drive>, void, void>;
  /** Finds users by id or address, in their order. */
  users(call: ConnectorCall, users: readonly string[]): Promise<readonly BatchResult<User>[]>;
  allUsers(call: ConnectorCall): AsyncGenerator<Entries<User>, void, void>;
  userDrive(call: ConnectorCall, userId: string): Promise<Drive>;
  drive(call: ConnectorCall, driveId: string): Promise<Drive>;
  /** Reads a page of the files of a drive, from a link or the beginning. */
  delta(call: ConnectorCall, driveId: string, link: string | undefined): Promise<DeltaPage>;
  /**
   * Reads a page of changes from a link. Leaves out the unchanged folders above changed items, but
   * not the root.
   */
  changes(call: ConnectorCall, link: string): Promise<DeltaPage>;
  /** Returns the address of later changes. */
  latest(call: ConnectorCall, driveId: string): Promise<string>;
  /** Reads one item with its path and its download address. */
  item(call: ConnectorCall, driveId: string, id: string): Promise<DriveItem>;
  /** Reads the permissions of up to 20 items, in their order. */
  permissions(
    call: ConnectorCall,
    items: readonly { readonly driveId: string; readonly id: string }[],
  ): Promise<readonly BatchResult<readonly Permission[]>[]>;
  group(call: ConnectorCall, id: string): Promise<Group>;
  allGroups(call: ConnectorCall): AsyncGenerator<Entries<Group>, void, void>;
  /** Reads the people of up to 20 groups, in their order. Members include those of nested groups. */
  people(
    call: ConnectorCall,
    groups: readonly { readonly id: string; readonly kind: MemberKind }[],
  ): Promise<readonly BatchResult<readonly User[]>[]>;
}

const encode = encodeURIComponent;
/** The `$` of query options is not encoded. */
const query = (options: Readonly<Record<string, string>>): string =>
  Object.entries(options)
    .map(([name, value]) => `${name}=${encode(value)}`)
    .join('&');

const drivePath = (driveId: string) => `/drives/${encode(driveId)}`;
const itemPath = (driveId: string, id: string) => `${drivePath(driveId)}/items/${encode(id)}`;

/**
 * Returns the path of a site: by its id, or by host and path.
 * https://learn.microsoft.com/en-us/graph/api/site-getbypath
 */
function sitePath(site: string): string {
  const url = URL.parse(site);
  if (url === null) return `/sites/${encode(site)}`;
  // Already percent-encoded, except for the colon that would end the path.
  const path = url.pathname.replace(/\/+$/, '').replaceAll(':', '%3A');
  return path === '' ? `/sites/${url.hostname}` : `/sites/${url.hostname}:${path}`;
}

export function createGraphApi(http: GraphHttp): GraphApi {
  const batched = async <T>(
    call: ConnectorCall,
    requests: readonly GraphRequest[],
    schema: z.ZodType<T>,
  ): Promise<readonly BatchResult<T>[]> => {
    const results: BatchResult<T>[] = [];
    for (let at = 0; at < requests.length; at += BATCH_SIZE) {
      results.push(...(await http.batch(call, requests.slice(at, at + BATCH_SIZE), schema)));
    }
    return results;
  };

  /** Reads lists in batches, and the further pages of each. Leaves out unreadable entries. */
  const lists = async <T>(call: ConnectorCall, requests: readonly GraphRequest[], entry: z.ZodType<T>) => {
    const results: BatchResult<readonly T[]>[] = [];
    for (const [at, first] of (await batched(call, requests, pageOf(entry))).entries()) {
      if ('error' in first) {
        results.push(first);
        continue;
      }
      const items = [...first.value.value.items];
      const from = requests[at] ?? { what: 'a list' };
      try {
        for await (const page of http.rest(call, first.value['@odata.nextLink'], from, entry)) {
          items.push(...page.items);
        }
        results.push({ value: items });
      } catch (error) {
        if (!(error instanceof SourceError) || !isUnreadable(error)) throw error;
        results.push({ error });
      }
    }
    return results;
  };

  const pageOfFiles = (page: z.infer<typeof DeltaResponse>): DeltaPage => {
    const { '@odata.nextLink': next, '@odata.deltaLink': delta } = page;
    if (next === undefined && delta === undefined) {
      throw new SourceError('transient', 'Microsoft 365 returned a list of files without its end.');
    }
    return { items: page.value, next, delta };
  };

  return {
    sites: (call, sites) =>
      batched(
        call,
        sites.map((site) => ({ path: sitePath(site), what: `the site ${site}` })),
        Site,
      ),
    allSites: (call) => http.pages(call, { path: '/sites/getAllSites', what: 'the list of sites' }, Site),
    siteDrives: (call, siteId) => {
      const path = `/sites/${encode(siteId)}/drives?${query({ $select: 'id,driveType' })}`;
      return http.pages(call, { path, what: `the libraries of the site ${siteId}` }, Drive);
    },
    users: (call, users) =>
      batched(
        call,
        users.map((user) => ({
          path: `/users/${encode(user)}?${query({ $select: USER_FIELDS })}`,
          what: `the user ${user}`,
        })),
        User,
      ),
    allUsers: (call) =>
      http.pages(
        call,
        { path: `/users?${query({ $select: USER_FIELDS, $top: '999' })}`, what: 'the list of users' },
        User,
      ),
    userDrive: (call, userId) =>
      http.get(
        call,
        { path: `/users/${encode(userId)}/drive?$select=id,driveType`, what: `the OneDrive of ${userId}` },
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
      return pageOfFiles(
        link === undefined
          ? await http.get(call, { path, what }, DeltaResponse)
          : await http.follow(call, link, { what }, DeltaResponse),
      );
    },
    changes: async (call, link) =>
      pageOfFiles(await http.follow(call, link, { what: 'the list of changes', headers: ONLY_CHANGED }, DeltaResponse)),
    latest: async (call, driveId) => {
      const path = `${drivePath(driveId)}/root/delta?${query({ token: 'latest', $select: ITEM_FIELDS })}`;
      const schema = z.object({ '@odata.deltaLink': z.string() });
      return (await http.get(call, { path, what: 'the list of changes' }, schema))['@odata.deltaLink'];
    },
    // With `$select`, the address of the content is missing.
    item: (call, driveId, id) => http.get(call, { path: itemPath(driveId, id), what: `the file ${id}` }, DriveItem),
    permissions: (call, items) =>
      lists(
        call,
        items.map(({ driveId, id }) => ({
          path: `${itemPath(driveId, id)}/permissions`,
          what: `the permissions of ${id}`,
        })),
        Permission,
      ),
    group: (call, id) =>
      http.get(
        call,
        {
          path: `/groups/${encode(id)}?$select=id,displayName,groupTypes,securityEnabled`,
          what: `the group ${id}`,
        },
        Group,
      ),
    allGroups: (call) =>
      http.pages(
        call,
        {
          path: `/groups?${query({ $select: 'id,displayName,groupTypes,securityEnabled', $top: '999' })}`,
          what: 'the list of groups',
        },
        Group,
      ),
    people: (call, groups) =>
      lists(
        call,
        groups.map(({ id, kind }) => ({
          path: `/groups/${encode(id)}/${kind === 'members' ? 'transitiveMembers' : 'owners'}/microsoft.graph.user?${query({ $select: USER_FIELDS, $top: '999', $count: 'true' })}`,
          // Required by the cast to users.
          headers: { consistencylevel: 'eventual' },
          what: `the ${kind} of the group ${id}`,
        })),
        User,
      ),
  };
}
