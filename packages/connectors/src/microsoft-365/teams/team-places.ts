import { createCache } from '@lectern/resilience';
import type { ConnectorCall } from '#connector';
import type { Entries, UnreadableEntry } from '#http/entries';
import type { DirectoryApi } from '#microsoft-365/directory/directory-api';
import { isGuid } from '#microsoft-365/directory/directory-id';
import { createKnownPlaces, type KnownPlaces } from '#microsoft-365/listing/known-places';
import {
  ALL,
  type FoundPlaces,
  type Place,
  sortedPlaces,
  type UnreadablePlace,
} from '#microsoft-365/listing/list-places';
import type { Channel, Team, TeamsApi } from '#microsoft-365/teams/teams-api';
import { SourceError } from '#source-error';

export interface TeamsScope {
  /** Ids, names and addresses of teams, or `all`. */
  readonly teams: readonly string[];
  readonly excludeTeams: readonly string[];
}

/** A team whose channels are read. */
export interface TeamPlace extends Place, Team {}

const CACHE_MS = 10 * 60_000;
const MAX_CACHED = 10_000;

const isAddress = (text: string): boolean => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text);
const sameName = (a: string, b: string): boolean => a.trim().toLowerCase() === b.trim().toLowerCase();

const placeOf = (team: Team, isFromAll: boolean): TeamPlace => ({ ...team, key: `team:${team.id}`, isFromAll });

/** The teams of a connector, and their channels. */
export interface TeamPlaces extends KnownPlaces<TeamPlace> {
  /** Requests the channels of a team, sorted by id. */
  channels(call: ConnectorCall, team: string): Promise<Entries<Channel>>;
  /** Returns the channels of a team that were requested a short time ago, or requests them. */
  knownChannels(call: ConnectorCall, team: string): Promise<Entries<Channel>>;
}

export function createTeamPlaces(api: TeamsApi & DirectoryApi, { teams, excludeTeams }: TeamsScope): TeamPlaces {
  const cached = createCache<string, Entries<Channel>>({ maxEntries: MAX_CACHED, ttlMs: CACHE_MS });

  /** Throws if a team to exclude is unknown because of an error: it would be read. */
  const excludedIds = async (call: ConnectorCall): Promise<ReadonlySet<string>> => {
    const addresses = excludeTeams.filter(isAddress);
    const results = await api.groupsByMail(call, addresses);
    const ids = results.flatMap((result) => {
      if ('error' in result) throw result.error;
      return result.value;
    });
    return new Set([...ids, ...excludeTeams.filter(isGuid)].map((id) => id.toLowerCase()));
  };

  /** Finds the teams that the config names by id or address. */
  const findNamed = async (call: ConnectorCall) => {
    const places: TeamPlace[] = [];
    const unreadable: UnreadablePlace[] = [];
    const wanted = teams.filter(isGuid).map((id) => ({ name: id, id }));
    const addresses = teams.filter(isAddress);
    for (const [at, result] of (await api.groupsByMail(call, addresses)).entries()) {
      const name = addresses[at] ?? '';
      if ('error' in result) unreadable.push({ name, error: result.error });
      else if (result.value.length > 0) wanted.push(...result.value.map((id) => ({ name, id })));
      else unreadable.push({ name, error: new SourceError('gone', `No team has the address ${name}.`) });
    }
    const results = await api.teams(
      call,
      wanted.map(({ id }) => id),
    );
    for (const [at, result] of results.entries()) {
      if ('error' in result) unreadable.push({ name: wanted[at]?.name ?? '', error: result.error });
      else places.push(placeOf(result.value, false));
    }
    return { places, unreadable };
  };

  /** Finds the teams that the config names by name, or all. */
  const findListed = async (call: ConnectorCall) => {
    const names = teams.filter((text) => text !== ALL && !isGuid(text) && !isAddress(text));
    const isAll = teams.includes(ALL);
    const places: TeamPlace[] = [];
    const unreadable: UnreadablePlace[] = [];
    const unreadableEntries: UnreadableEntry[] = [];
    if (names.length === 0 && !isAll) return { places, unreadable, unreadableEntries };
    const listed: Team[] = [];
    for await (const page of api.allTeams(call)) {
      listed.push(...page.items);
      unreadableEntries.push(...page.unreadable);
    }
    if (isAll) places.push(...listed.map((team) => placeOf(team, true)));
    for (const name of names) {
      const matches = listed.filter(({ displayName }) => sameName(displayName, name));
      const [team] = matches;
      if (team !== undefined && matches.length === 1) places.push(placeOf(team, false));
      else if (matches.length === 0) {
        unreadable.push({ name, error: new SourceError('gone', `There is no team with the name ${name}.`) });
      } else {
        const message = `${matches.length} teams have the name ${name}. Use the id of the team.`;
        unreadable.push({ name, error: new SourceError('invalid', message) });
      }
    }
    return { places, unreadable, unreadableEntries };
  };

  const search = async (call: ConnectorCall): Promise<FoundPlaces<TeamPlace>> => {
    const named = await findNamed(call);
    const listed = await findListed(call);
    const excluded = await excludedIds(call);
    const isExcluded = ({ id, displayName }: Team) =>
      excluded.has(id.toLowerCase()) || excludeTeams.some((name) => sameName(name, displayName));
    return {
      // A team that is named twice counts as named.
      places: sortedPlaces([...listed.places, ...named.places].filter((team) => !isExcluded(team))),
      unreadable: [...named.unreadable, ...listed.unreadable],
      unreadableEntries: listed.unreadableEntries,
    };
  };

  const channels: TeamPlaces['channels'] = async (call, team) => {
    const items = new Map<string, Channel>();
    const unreadable: UnreadableEntry[] = [];
    for await (const page of api.channels(call, team)) {
      for (const channel of page.items) items.set(channel.id, channel);
      unreadable.push(...page.unreadable);
    }
    const sorted = [...items.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
    cached.set(team, { items: sorted, unreadable });
    return { items: sorted, unreadable };
  };

  return {
    ...createKnownPlaces(search, 'team'),
    channels,
    knownChannels: async (call, team) => cached.get(team) ?? channels(call, team),
  };
}
