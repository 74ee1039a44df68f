import { createCache, orAborted } from '@lectern/resilience';
import type { ConnectorCall } from '#connector';
import type { DirectoryApi, DirectoryUser } from '#google-drive/domain/directory-api';
import type { UnreadableEntry } from '#http/entries';
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
  /** Config users that are not active users of the domain. */
  readonly missing: readonly string[];
  readonly unreadable: readonly UnreadableEntry[];
}

export interface PeopleFilter {
  /** Addresses; empty for all users. */
  readonly users: readonly string[];
  /** Paths of organizational units, with the units below them; empty for all users. */
  readonly orgUnits: readonly string[];
}

/** Bounds the memory of a sync; about 30 MB. */
const MAX_PEOPLE = 100_000;
const CACHE_MS = 10 * 60_000;
const LOAD_TIMEOUT_MS = 4 * 60_000;

const isIn = (path: string, unit: string): boolean =>
  unit === '/' || path.toLowerCase() === unit.toLowerCase() || path.toLowerCase().startsWith(`${unit.toLowerCase()}/`);

const lower = (addresses: readonly string[]): readonly string[] => addresses.map((address) => address.toLowerCase());

const isSelected = ({ users, orgUnits }: PeopleFilter, addresses: readonly string[], path: string): boolean =>
  (users.length === 0 && orgUnits.length === 0) ||
  addresses.some((address) => users.includes(address)) ||
  orgUnits.some((unit) => isIn(path, unit));

/** Reads all users once; suspended and archived ones are left out. */
async function readPeople(
  call: ConnectorCall,
  api: DirectoryApi,
  filter: PeopleFilter,
  maxPeople: number,
): Promise<People> {
  const byId = new Map<string, Person>();
  const unreadable: UnreadableEntry[] = [];
  const add = ({ id, primaryEmail, customerId, orgUnitPath, aliases, nonEditableAliases }: DirectoryUser) => {
    const email = primaryEmail.toLowerCase();
    const others = new Set(lower([...aliases, ...nonEditableAliases]));
    others.delete(email);
    const selected = isSelected(filter, [email, ...others], orgUnitPath);
    byId.set(id, { id, email, aliases: [...others], customerId, isSelected: selected });
  };
  for await (const { items, unreadable: broken } of api.users(call)) {
    for (const user of items) if (!user.suspended && !user.archived) add(user);
    unreadable.push(...broken);
    if (byId.size + unreadable.length > maxPeople) {
      throw new SourceError('invalid', `The domain has more than ${maxPeople} active users, which is not supported.`);
    }
  }
  const byAddress = new Map<string, Person>();
  for (const person of byId.values()) for (const alias of person.aliases) byAddress.set(alias, person);
  // A primary address takes precedence over an alias that another user has, or had.
  for (const person of byId.values()) byAddress.set(person.email, person);
  const selected = [...byId.values()].filter((person) => person.isSelected);
  selected.sort((a, b) => (a.id < b.id ? -1 : 1));
  const missing = filter.users.filter((address) => !byAddress.has(address));
  return { selected, byId, byAddress, missing, unreadable };
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
