import { domainPrincipal } from '@lectern/contracts';
import { z } from 'zod';
import { groupPrincipal } from '#settings/group-principal';

export const DrivePermission = z.object({
  type: z.string(),
  role: z.string().optional(),
  emailAddress: z.string().optional(),
  domain: z.string().optional(),
  deleted: z.boolean().optional(),
  expirationTime: z.string().optional(),
  view: z.string().optional(),
});

export type DrivePermission = z.infer<typeof DrivePermission>;

export const PERMISSION_FIELDS = 'id,type,role,emailAddress,domain,deleted,expirationTime,view';

/** False for a permission of a deleted account, one that has expired, and one that covers only a part. */
export const isInForce = ({ deleted = false, expirationTime, view }: DrivePermission, now: number): boolean =>
  !deleted && view === undefined && !(expirationTime !== undefined && Date.parse(expirationTime) <= now);

/**
 * Returns the principal to whom a permission grants read access; undefined if none, for example if
 * it has expired. A permission with a `view` covers only a part, for example the metadata. `anyone`
 * includes everyone with the link.
 */
export function principalOf(permission: DrivePermission, now: number): string | undefined {
  const { type, emailAddress, domain } = permission;
  if (!isInForce(permission, now)) return undefined;
  if (type === 'anyone') return 'public';
  if (type === 'user' && emailAddress) return `user:${emailAddress.toLowerCase()}`;
  if (type === 'group' && emailAddress) return groupPrincipal('google_drive', emailAddress.toLowerCase());
  if (type === 'domain' && domain) return domainPrincipal(domain);
  return undefined;
}
