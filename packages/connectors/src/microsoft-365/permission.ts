import { z } from 'zod';
import type { MemberKind } from '#microsoft-365/graph-api';

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
  grantedToIdentitiesV2: z.array(IdentitySet).default([]),
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
const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** SharePoint's names for Entra groups: Microsoft 365 groups, with `_o` only their owners, and security groups. */
const GROUP_CLAIM = /^c:0(?:o\.c\|federateddirectoryclaimprovider|t\.c\|tenant)\|([0-9a-f-]{36})(_o)?$/i;
/** "Everyone except external users", and "Everyone", which also includes guests. */
const EVERYONE_CLAIM = /^c:0(?:-\.f\|rolemanager\|spo-grid-all-users\/[0-9a-f-]{36}|\(\.s\|true)$/i;

/** Returns whom an identity names. Unknown forms grant nothing. */
function granteeOf({ user, group, siteUser, siteGroup }: IdentitySet): Grantee | undefined {
  const login = siteUser?.loginName ?? '';
  const [, claimed, owners] = GROUP_CLAIM.exec(login) ?? [];
  if (claimed !== undefined && ID.test(claimed)) {
    return { kind: 'group', id: claimed.toLowerCase(), members: owners === undefined ? 'members' : 'owners' };
  }
  if (EVERYONE_CLAIM.test(login)) return { kind: 'organization' };
  // Any other claim that is not a person.
  if (/^c:/i.test(login)) return undefined;
  if (user?.id !== undefined && ID.test(user.id)) return { kind: 'user', id: user.id.toLowerCase() };
  if (group?.id !== undefined && ID.test(group.id)) {
    return { kind: 'group', id: group.id.toLowerCase(), members: 'members' };
  }
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
  const { roles, link, grantedToV2, grantedToIdentitiesV2, expirationDateTime, hasPassword = false } = permission;
  if (!roles.some((role) => READING.has(role)) || isExpired(expirationDateTime, now)) return [];
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
      return grantedToIdentitiesV2.flatMap((identity) => granteeOf(identity) ?? []);
    default:
      return [];
  }
}
