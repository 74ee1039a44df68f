import type { ConnectorCall } from '#connector';
import { type DirectoryApi, type DirectoryMember, isPermanent } from '#google/directory-api';
import { type People, type Person, personPrincipal, type ReadPeople } from '#google/people';
import { groupPrincipal } from '#settings/group-principal';
import type { SourceGroup } from '#source';

/** Bounds the memory for one group. */
const MAX_MEMBERS = 200_000;

const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1);

/**
 * Returns the group of the users who have only an alias in a domain. `group:domain:<domain>` covers
 * those with a primary address in it.
 */
export const aliasDomainGroup = (source: string, domain: string): string =>
  groupPrincipal(source, domain.toLowerCase());

const aliasDomains = ({ email, aliases }: Person): readonly string[] => [
  ...new Set(aliases.map(domainOf).filter((domain) => domain !== domainOf(email))),
];

function principalOfMember(
  source: string,
  people: People,
  { id, email, type, status }: DirectoryMember,
): string | undefined {
  if (status === 'SUSPENDED') return undefined;
  // Everyone of the organization, by the id of the customer.
  if (type === 'CUSTOMER') return id === undefined ? undefined : groupPrincipal(source, id);
  if (!email?.includes('@')) return undefined;
  if (type === 'GROUP') return groupPrincipal(source, email.toLowerCase());
  return type === 'USER' || type === 'EXTERNAL' ? personPrincipal(people, email) : undefined;
}

/** Returns the direct members. No one is a member of a group that was deleted or is hidden. */
async function membersOf(
  source: string,
  directory: DirectoryApi,
  call: ConnectorCall,
  people: People,
  groupId: string,
) {
  const members = new Set<string>();
  try {
    for await (const { items } of directory.members(call, groupId)) {
      for (const member of items) {
        const principal = principalOfMember(source, people, member);
        if (principal !== undefined && members.size < MAX_MEMBERS) members.add(principal);
      }
    }
  } catch (error) {
    if (!isPermanent(error) || error.kind === 'auth') throw error;
    return [];
  }
  return [...members];
}

function* collected(lists: ReadonlyMap<string, readonly string[]>): Generator<SourceGroup> {
  for (const [principal, members] of lists) yield { principal, members };
}

/**
 * Yields all groups with their direct members, which can be groups; everyone of each customer; and
 * everyone with an alias in a domain. Cycles are allowed. `source` is the type of the connector.
 */
export async function* readDomainGroups(
  source: string,
  directory: DirectoryApi,
  readPeople: ReadPeople,
  call: ConnectorCall,
): AsyncGenerator<SourceGroup, void, void> {
  const people = await readPeople(call, { fresh: true });
  for await (const { items } of directory.groups(call)) {
    for (const { id, email } of items) {
      yield {
        principal: groupPrincipal(source, email.toLowerCase()),
        members: await membersOf(source, directory, call, people, id),
      };
    }
  }
  const lists = new Map<string, string[]>();
  const add = (principal: string, email: string) => {
    const list = lists.get(principal) ?? [];
    list.push(`user:${email}`);
    lists.set(principal, list);
  };
  for (const person of people.byId.values()) {
    if (person.customerId !== undefined) add(groupPrincipal(source, person.customerId), person.email);
    for (const domain of aliasDomains(person)) add(aliasDomainGroup(source, domain), person.email);
  }
  yield* collected(lists);
}
