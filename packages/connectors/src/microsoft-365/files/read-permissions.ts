import { createCache } from '@lectern/resilience';
import type { ConnectorCall } from '#connector';
import { orNull } from '#http/or-null';
import type { DirectoryApi, MemberKind } from '#microsoft-365/directory/directory-api';
import { directoryId } from '#microsoft-365/directory/directory-id';
import { principalOfGroup, principalOfOrganization } from '#microsoft-365/directory/people';
import { parseItemId } from '#microsoft-365/files/drive-item';
import type { FilesApi } from '#microsoft-365/files/files-api';
import { type Grantee, granteesOf } from '#microsoft-365/files/permission';
import { BATCH_SIZE } from '#microsoft-365/graph-http';
import type { Accounts } from '#readers/accounts';
import { isUnreadable } from '#readers/reader-lists';
import type { SourcePermissions, SourceRef } from '#source';

const CACHE_MS = 10 * 60_000;
const MAX_CACHED_DRIVES = 10_000;

export interface PermissionContext {
  readonly api: FilesApi & DirectoryApi;
  readonly people: Accounts;
  /** See `siteOf`. */
  readonly site: string;
}

/** The Microsoft 365 group of a site. */
interface SiteGroup {
  readonly id: string;
  readonly name: string;
}

/**
 * Finds the Microsoft 365 group to which a library belongs. Graph does not return the members of
 * SharePoint groups. In the site of a Microsoft 365 group, the SharePoint groups `<name> Members`
 * and `<name> Owners` contain the members and the owners of that group.
 * https://learn.microsoft.com/en-us/sharepoint/dev/transform/modernize-connect-to-office365-group-permissions
 */
export function createSiteGroups(api: PermissionContext['api']) {
  const groups = createCache<string, { readonly group: SiteGroup | undefined }>({
    maxEntries: MAX_CACHED_DRIVES,
    ttlMs: CACHE_MS,
  });

  const load = async (call: ConnectorCall, driveId: string): Promise<SiteGroup | undefined> => {
    try {
      const id = (await api.drive(call, driveId)).owner?.group?.id;
      const group = id === undefined ? null : await orNull(api.group(call, id));
      return group?.displayName === undefined ? undefined : { id: directoryId(group.id), name: group.displayName };
    } catch (error) {
      if (isUnreadable(error)) return undefined;
      throw error;
    }
  };

  return async (call: ConnectorCall, driveId: string): Promise<SiteGroup | undefined> => {
    const known = groups.get(driveId) ?? { group: await load(call, driveId) };
    groups.set(driveId, known);
    return known.group;
  };
}

/** Returns whose people a SharePoint group has; undefined if that is unknown. */
function membersOf(siteGroup: string, group: SiteGroup | undefined): MemberKind | undefined {
  if (siteGroup === `${group?.name} Members`) return 'members';
  return siteGroup === `${group?.name} Owners` ? 'owners' : undefined;
}

/** Yields the readers of each file. A file whose permissions are unreadable has none. */
export async function* readPermissions(
  { api, people, site }: PermissionContext,
  siteGroupOf: ReturnType<typeof createSiteGroups>,
  call: ConnectorCall,
  refs: readonly SourceRef[],
): AsyncGenerator<SourcePermissions, void, void> {
  const principalsOf = async (driveId: string, grantees: readonly Grantee[]): Promise<readonly string[]> => {
    if (grantees.some(({ kind }) => kind === 'anyone')) return ['public'];
    const users = grantees.flatMap((grantee) =>
      grantee.kind === 'user' ? [{ kind: 'user', id: grantee.id } as const] : [],
    );
    const principals = new Set(await people.principalsOf(call, users));
    for (const grantee of grantees) {
      if (grantee.kind === 'organization') principals.add(principalOfOrganization(site));
      if (grantee.kind === 'group') principals.add(principalOfGroup(site, grantee.id, grantee.members));
      if (grantee.kind !== 'siteGroup') continue;
      const group = await siteGroupOf(call, driveId);
      const members = membersOf(grantee.name, group);
      if (group !== undefined && members !== undefined) principals.add(principalOfGroup(site, group.id, members));
    }
    return [...principals].sort();
  };

  for (let at = 0; at < refs.length; at += BATCH_SIZE) {
    const batch = refs.slice(at, at + BATCH_SIZE);
    const items = batch.flatMap(({ id }) => {
      const parsed = parseItemId(id);
      return parsed === undefined ? [] : [{ ...parsed, ref: id }];
    });
    const results = items.length === 0 ? [] : await api.permissions(call, items);
    const now = Date.now();
    const granted = items.map(({ driveId, ref }, index) => {
      const result = results[index];
      const permissions = result === undefined || 'error' in result ? [] : result.value.items;
      return [ref, { driveId, grantees: permissions.flatMap((permission) => granteesOf(permission, now)) }] as const;
    });
    // One batch for the people of all these files.
    const users = granted.flatMap(([, { grantees }]) =>
      grantees.flatMap((grantee) => (grantee.kind === 'user' ? [grantee.id] : [])),
    );
    await people.find(call, [...new Set(users)]);
    const byRef = new Map(granted);
    for (const { id } of batch) {
      const { driveId, grantees } = byRef.get(id) ?? { driveId: '', grantees: [] };
      yield { id, principals: await principalsOf(driveId, grantees) };
    }
  }
}
