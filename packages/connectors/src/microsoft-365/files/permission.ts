import { z } from 'zod';
import type { MemberKind } from '#microsoft-365/directory/directory-api';
import { directoryId, isGuid } from '#microsoft-365/directory/directory-id';

const Identity = z.object({ id: z.string().optional(), displayName: z.string().optional() });
const SiteIdentity = z.object({ displayName: z.string().optional(), loginName: z.string().optional() });

/** https://learn.microsoft.com/en-us/graph/api/resources/sharepointidentityset */
const IdentitySet = z.object({
  user: Identity.optional(),
  group: Identity.optional(),
  siteUser: SiteIdentity.optional(),
  siteGroup: SiteIdentity.optional(),
});
type IdentitySet = z.infer<typeof IdentitySet>;

/** https://learn.microsoft.com/en-us/graph/api/resources/permission */
export const Permission = z.object({
  roles: z.array(z.string()).default([]),
  grantedToV2: IdentitySet.optional(),
  grantedToIdentitiesV2: z.array(IdentitySet).optional(),
  /** The deprecated names of the two, which some servers still return alone. */
  grantedTo: IdentitySet.optional(),
  grantedToIdentities: z.array(IdentitySet).optional(),
  link: z
    .object({
      // Links to specific people can lack a scope.
      scope: z.string().optional(),
      type: z.string().optional(),
    })
    .optional(),
  expirationDateTime: z.string().optional(),
  hasPassword: z.boolean().optional(),
});
export type Permission = z.infer<typeof Permission>;

/** Someone whom a permission names. */
export type Grantee =
  | { readonly kind: 'anyone' }
  /** All members of the tenant, without guests. */
  | { readonly kind: 'organization' }
  | { readonly kind: 'user'; readonly id: string }
  | { readonly kind: 'group'; readonly id: string; readonly members: MemberKind }
  /** A group that exists only in its site. */
  | { readonly kind: 'siteGroup'; readonly name: string };

const READING: ReadonlySet<string> = new Set(['read', 'write', 'owner']);
/** SharePoint numbers its own users and groups; those of the directory have other ids. */
const isDirectoryId = (id: string | undefined): id is string => id !== undefined && /^(?!\d+$)[\w-]{1,128}$/.test(id);

/** SharePoint's names for Entra groups: Microsoft 365 groups, with `_o` only their owners, and security groups. */
const GROUP_CLAIM = /^c:0(?:o\.c\|federateddirectoryclaimprovider|t\.c\|tenant)\|([0-9a-f-]{36})(_o)?$/i;
/** "Everyone except external users", and "Everyone", which also includes guests. */
const EVERYONE_CLAIM = /^c:0(?:-\.f\|rolemanager\|spo-grid-all-users\/[0-9a-f-]{36}|\(\.s\|true)$/i;

/** Returns whom an identity names. Unknown forms grant nothing. */
function granteeOf({ user, group, siteUser, siteGroup }: IdentitySet): Grantee | undefined {
  const login = siteUser?.loginName ?? '';
  const [, claimed, owners] = GROUP_CLAIM.exec(login) ?? [];
  if (claimed !== undefined && isGuid(claimed)) {
    return { kind: 'group', id: claimed.toLowerCase(), members: owners === undefined ? 'members' : 'owners' };
  }
  if (EVERYONE_CLAIM.test(login)) return { kind: 'organization' };
  // Any other claim that is not a person.
  if (/^c:/i.test(login)) return undefined;
  const userId = user?.id;
  if (isDirectoryId(userId)) return { kind: 'user', id: directoryId(userId) };
  const groupId = group?.id;
  if (isDirectoryId(groupId)) return { kind: 'group', id: directoryId(groupId), members: 'members' };
  const name = siteGroup?.displayName;
  return name === undefined || name === '' ? undefined : { kind: 'siteGroup', name };
}

/** The first year means that a permission does not expire. An unreadable time counts as over. */
function isExpired(time: string | undefined, now: number): boolean {
  if (time === undefined || time.startsWith('0001-')) return false;
  const expiresAt = Date.parse(time);
  return Number.isNaN(expiresAt) || expiresAt <= now;
}

/** Returns who can read a file because of a permission. */
export function granteesOf(permission: Permission, now: number): readonly Grantee[] {
  const { roles, link, expirationDateTime, hasPassword = false } = permission;
  if (!roles.some((role) => READING.has(role)) || isExpired(expirationDateTime, now)) return [];
  const { grantedTo, grantedToV2 = grantedTo } = permission;
  if (link === undefined) return grantedToV2 === undefined ? [] : [granteeOf(grantedToV2) ?? []].flat();
  // With such a link, people can only add files.
  if (link.type === 'createOnly') return [];
  switch (link.scope) {
    case 'anonymous':
      return hasPassword ? [] : [{ kind: 'anyone' }];
    case 'organization':
      return [{ kind: 'organization' }];
    case 'users':
    case undefined:
      return (permission.grantedToIdentitiesV2 ?? permission.grantedToIdentities ?? []).flatMap(
        (identity) => granteeOf(identity) ?? [],
      );
    default:
      return [];
  }
}
