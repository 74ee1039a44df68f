import { encodeGroupName } from '@lectern/contracts';
import type { ConnectorCall } from '#connector';
import { CLOUDS } from '#microsoft-365/clouds';
import type { DirectoryApi, MemberKind, User } from '#microsoft-365/directory/directory-api';
import type { GraphSettings } from '#microsoft-365/graph-http';
import { type Accounts, createAccounts } from '#readers/accounts';
import type { Account } from '#readers/reader';
import { groupPrincipal } from '#settings/group-principal';

const SOURCE = 'microsoft_365';

const isInvited = ({ userPrincipalName }: Pick<User, 'userPrincipalName'>): boolean =>
  /#ext#/i.test(userPrincipalName ?? '');

/**
 * Returns true for members of the tenant. Old accounts can lack the type: then they need a user name, and not
 * that of a guest.
 */
export const isMember = ({ userType, userPrincipalName }: User): boolean =>
  userType === undefined ? userPrincipalName !== undefined && !isInvited({ userPrincipalName }) : userType === 'Member';

/**
 * Returns the address of a person: the primary mail address. Members without a mailbox have their
 * user name, which is in a domain of the tenant; the user name of a guest (`…#EXT#@…`) is not an
 * address. Disabled accounts have none, so that they match no one.
 */
function addressOf(user: User): string | undefined {
  const { mail, userPrincipalName, accountEnabled } = user;
  if (accountEnabled === false) return undefined;
  if (mail !== undefined && mail !== '') return mail.toLowerCase();
  return isMember(user) && !isInvited(user) ? userPrincipalName?.toLowerCase() : undefined;
}

export function principalOfUser(user: User): string {
  const address = addressOf(user);
  return address === undefined ? `user:${SOURCE}:${encodeGroupName(user.id)}` : `user:${address}`;
}

/**
 * Returns the site in the names of groups. Only Microsoft proves that an application belongs to a
 * tenant. Another server could claim the tenant of someone else, so the site contains its host.
 * Other clouds are separate from the global one.
 */
export function siteOf({ cloud, endpoint, credentials: { tenantId } }: GraphSettings): string {
  if (endpoint !== undefined) return `${new URL(endpoint).host}/${tenantId}`;
  return cloud === 'global' ? tenantId : `${new URL(CLOUDS[cloud].graph).host}/${tenantId}`;
}

/** Names of groups. Ids are unique within a tenant. */
export const principalOfGroup = (site: string, id: string, members: MemberKind): string =>
  groupPrincipal(SOURCE, members === 'owners' ? `${id}:owners` : id, site);

/** The members of a private or shared channel. */
export const principalOfChannel = (site: string, channel: string): string =>
  groupPrincipal(SOURCE, `channel:${channel}`, site);

/** All members of the tenant, without guests. */
export const principalOfOrganization = (site: string): string => groupPrincipal(SOURCE, 'organization', site);

/** Reads the people that permissions name, in batches. */
export function createPeople(api: DirectoryApi): Accounts {
  return createAccounts({
    source: SOURCE,
    load: async (call: ConnectorCall, ids: readonly string[]) => {
      const found = new Map<string, Account>();
      for (const [at, result] of (await api.users(call, ids)).entries()) {
        const id = ids[at];
        if (id === undefined || 'error' in result) continue;
        found.set(id, { name: result.value.displayName, email: addressOf(result.value) });
      }
      return found;
    },
  });
}
