import { createCache, orAborted } from '@lectern/resilience';
import type { ConnectorCall } from '#connector';
import type { DirectoryApi, DirectoryUser } from '#google/directory-api';
import { type UnreadableEntry, wholeList } from '#http/entries';
import { SourceError } from '#source-error';

/** An active user of the domain. */
export interface Person {
  readonly id: string;
  /** The primary address, in lower case. */
  readonly email: string;
  readonly aliases: readonly string[];
  readonly customerId: string | undefined;
  /** True if the config selects the user's own drive. */
  readonly isSelected: boolean;
}

/** The active users of a domain. */
export interface People {
  /** The selected users, sorted by id. */
  readonly selected: readonly Person[];
  readonly byId: ReadonlyMap<string, Person>;
  /** By the primary address and each alias, in lower case. */
  readonly byAddress: ReadonlyMap<string, Person>;
  /** The selected users who are suspended or archived, by id. They are in none of the other lists. */
  readonly inactive: ReadonlyMap<string, Person>;
  /** Config users that are not active users of the domain. */
  readonly missing: readonly string[];
  readonly unreadable: readonly UnreadableEntry[];
}

export interface PeopleFilter {
  /** Addresses. All users, if the filter selects no users, units and groups. */
  readonly users: readonly string[];
  /** Paths of organizational units, with the units below them. */
  readonly orgUnits: readonly string[];
  /** Addresses of users to leave out, even if they are selected otherwise. */
  readonly excludeUsers?: readonly string[];
  /** Addresses of groups whose members are selected, also those of nested groups. */
  readonly groups?: readonly string[];
}

/** Bounds the memory of a sync; about 30 MB. */
const MAX_PEOPLE = 100_000;
const CACHE_MS = 10 * 60_000;
const LOAD_TIMEOUT_MS = 4 * 60_000;

const isIn = (path: string, unit: string): boolean =>
  unit === '/' || path.toLowerCase() === unit.toLowerCase() || path.toLowerCase().startsWith(`${unit.toLowerCase()}/`);

const lower = (addresses: readonly string[]): readonly string[] => addresses.map((address) => address.toLowerCase());

function isSelected(
  { users, orgUnits, excludeUsers = [], groups = [] }: PeopleFilter,
  members: ReadonlySet<string>,
  addresses: readonly string[],
  path: string,
): boolean {
  if (addresses.some((address) => excludeUsers.includes(address))) return false;
  return (
    (users.length === 0 && orgUnits.length === 0 && groups.length === 0) ||
    addresses.some((address) => users.includes(address) || members.has(address)) ||
    orgUnits.some((unit) => isIn(path, unit))
  );
}

/** Returns the addresses of the users in groups. Throws `invalid` if the members of a group are unknown. */
async function membersOf(call: ConnectorCall, api: DirectoryApi, groups: readonly string[]) {
  const members = new Set<string>();
  for (const group of groups) {
    try {
      for await (const page of api.members(call, group, { derived: true })) {
        for (const { type, email } of wholeList(page, `the members of the group ${group}`)) {
          if (type === 'USER' && email !== undefined) members.add(email.toLowerCase());
        }
        if (members.size > MAX_PEOPLE) throw tooMany(MAX_PEOPLE);
      }
    } catch (error) {
      if (!(error instanceof SourceError) || (error.kind !== 'gone' && error.kind !== 'forbidden')) throw error;
      const message = `The group ${group} does not exist, or the administrator cannot read its members. Check groups.`;
      throw new SourceError('invalid', message, { cause: error });
    }
  }
  return members;
}

const tooMany = (maxPeople: number) =>
  new SourceError('invalid', `The domain has more than ${maxPeople} active users, which is not supported.`);

/** Reads all users once. */
async function readPeople(
  call: ConnectorCall,
  api: DirectoryApi,
  filter: PeopleFilter,
  maxPeople: number,
): Promise<People> {
  const byId = new Map<string, Person>();
  const inactive = new Map<string, Person>();
  const unreadable: UnreadableEntry[] = [];
  const members = await membersOf(call, api, filter.groups ?? []);
  const add = (user: DirectoryUser) => {
    const { id, primaryEmail, customerId, orgUnitPath, aliases, nonEditableAliases } = user;
    const email = primaryEmail.toLowerCase();
    const others = new Set(lower([...aliases, ...nonEditableAliases]));
    others.delete(email);
    const selected = isSelected(filter, members, [email, ...others], orgUnitPath);
    const person = { id, email, aliases: [...others], customerId, isSelected: selected };
    if (!user.suspended && !user.archived) byId.set(id, person);
    else if (selected) inactive.set(id, person);
  };
  for await (const { items, unreadable: broken } of api.users(call)) {
    for (const user of items) add(user);
    unreadable.push(...broken);
    if (byId.size + inactive.size + unreadable.length > maxPeople) throw tooMany(maxPeople);
  }
  const byAddress = new Map<string, Person>();
  for (const person of byId.values()) for (const alias of person.aliases) byAddress.set(alias, person);
  // A primary address takes precedence over an alias that another user has, or had.
  for (const person of byId.values()) byAddress.set(person.email, person);
  const selected = [...byId.values()].filter((person) => person.isSelected);
  selected.sort((a, b) => (a.id < b.id ? -1 : 1));
  const missing = filter.users.filter((address) => !byAddress.has(address));
  return { selected, byId, byAddress, inactive, missing, unreadable };
}

/** Reads the active users, which are cached for some minutes; `fresh` reads them again. */
export type ReadPeople = (call: ConnectorCall, options?: { readonly fresh?: boolean }) => Promise<People>;

export function createPeople(api: DirectoryApi, filter: PeopleFilter, maxPeople: number = MAX_PEOPLE): ReadPeople {
  const cache = createCache<'people', People>({ maxEntries: 1, ttlMs: CACHE_MS });
  let pending: Promise<People> | undefined;
  return async (call, { fresh = false } = {}) => {
    call.signal.throwIfAborted();
    const cached = fresh ? undefined : cache.get('people');
    if (cached !== undefined) return cached;
    // Concurrent calls share the requests, so these do not use the signal of one call.
    pending ??= readPeople({ signal: AbortSignal.timeout(LOAD_TIMEOUT_MS) }, api, filter, maxPeople)
      .then((people) => {
        cache.set('people', people);
        return people;
      })
      .finally(() => {
        pending = undefined;
      });
    return orAborted(pending, call.signal);
  };
}

/** Returns the principal of an address: a user's aliases all mean the primary address. */
export const personPrincipal = (people: People, address: string): string => {
  const lower = address.toLowerCase();
  return `user:${people.byAddress.get(lower)?.email ?? lower}`;
};
