import type { ConnectorCall } from '#connector';
import type { DirectoryApi } from '#microsoft-365/directory/directory-api';
import { directoryId } from '#microsoft-365/directory/directory-id';
import { isMember, principalOfChannel, principalOfGroup } from '#microsoft-365/directory/people';
import { readable } from '#microsoft-365/directory/read-groups';
import type { TeamPlaces } from '#microsoft-365/teams/team-places';
import type { Channel, Member, TeamsApi } from '#microsoft-365/teams/teams-api';
import { parseThreadId } from '#microsoft-365/teams/thread-id';
import type { Accounts } from '#readers/accounts';
import { isUnreadable } from '#readers/reader-lists';
import type { SourceGroup, SourcePermissions, SourceRef } from '#source';

export interface ChannelReadersContext {
  readonly api: TeamsApi & DirectoryApi;
  readonly places: TeamPlaces;
  readonly people: Accounts;
  /** See `siteOf`. */
  readonly site: string;
  readonly tenantId: string;
}

/** Which list has the members of a channel; undefined if all members of its team can read it. */
const LISTS: Readonly<Record<string, 'members' | 'allMembers'>> = { private: 'members', shared: 'allMembers' };

/** Yields the readers of each thread. With an unknown type of channel, it has none. */
export async function* readThreadReaders(
  { places, site }: ChannelReadersContext,
  call: ConnectorCall,
  refs: readonly SourceRef[],
): AsyncGenerator<SourcePermissions, void, void> {
  const principalsOf = async (id: string): Promise<readonly string[]> => {
    const place = parseThreadId(id);
    if (place === undefined) return [];
    try {
      const team = await places.place(call, place.team);
      if (team === undefined) return [];
      const { items } = await places.knownChannels(call, team.id);
      const type = items.find((channel) => channel.id === place.channel)?.membershipType ?? '';
      if (type === 'standard') {
        const group = directoryId(team.id);
        return [principalOfGroup(site, group, 'members'), principalOfGroup(site, group, 'owners')];
      }
      return LISTS[type] === undefined ? [] : [principalOfChannel(site, place.channel)];
    } catch (error) {
      if (!isUnreadable(error)) throw error;
      return [];
    }
  };
  for (const { id } of refs) yield { id, principals: await principalsOf(id) };
}

const domainOf = (address: string | undefined): string => address?.toLowerCase().split('@').at(-1) ?? '';

/** Returns the domains of the members of the tenant. */
async function readDomains(api: DirectoryApi, call: ConnectorCall): Promise<ReadonlySet<string>> {
  const domains = new Set<string>();
  for await (const user of readable(api.allUsers(call))) {
    if (!isMember(user)) continue;
    const { mail, userPrincipalName } = user;
    for (const address of [mail, userPrincipalName]) if (address !== undefined) domains.add(domainOf(address));
  }
  return domains;
}

const ADDRESS = /^[^\s@#:/]+@[^\s@#:/]+\.[^\s@#:/]+$/;

/**
 * Yields the private and shared channels with their members. People of other tenants are known only by
 * the address that their tenant reports: it must not be one of this tenant.
 */
export async function* readChannelGroups(
  { api, places, people, site, tenantId }: ChannelReadersContext,
  call: ConnectorCall,
): AsyncGenerator<SourceGroup, void, void> {
  let domains: ReadonlySet<string> | undefined;

  const principalsOf = async (members: readonly Member[]): Promise<readonly string[]> => {
    const isOwn = (member: Member) => (member.tenantId ?? tenantId).toLowerCase() === tenantId;
    const own = members.flatMap((member) =>
      isOwn(member) && member.userId !== undefined ? [{ kind: 'user', id: directoryId(member.userId) } as const] : [],
    );
    const principals = new Set(await people.principalsOf(call, own));
    for (const member of members) {
      const address = member.email?.toLowerCase() ?? '';
      if (isOwn(member) || !ADDRESS.test(address)) continue;
      domains ??= await readDomains(api, call);
      if (domains.size > 0 && !domains.has(domainOf(address))) principals.add(`user:${address}`);
    }
    return [...principals].sort();
  };

  const readMembers = async (team: string, channel: Channel, list: 'members' | 'allMembers') => {
    const members: Member[] = [];
    for await (const member of readable(api.members(call, { team, channel: channel.id }, list))) members.push(member);
    return principalsOf(members);
  };

  let teams: Awaited<ReturnType<TeamPlaces['find']>>['places'];
  try {
    teams = (await places.find(call)).places;
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    return;
  }
  for (const team of teams) {
    let channels: readonly Channel[] = [];
    try {
      channels = (await places.knownChannels(call, team.id)).items;
    } catch (error) {
      if (!isUnreadable(error)) throw error;
    }
    for (const channel of channels) {
      const list = LISTS[channel.membershipType ?? ''];
      if (list === undefined) continue;
      yield { principal: principalOfChannel(site, channel.id), members: await readMembers(team.id, channel, list) };
    }
  }
}
