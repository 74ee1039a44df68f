import type { ConfluenceApi, Space } from '#confluence/confluence-api';
import { parseItemId } from '#confluence/item-id';
import type { ConnectorCall } from '#connector';
import { inOrder } from '#in-order';
import type { Accounts } from '#readers/accounts';
import { memberPrincipals } from '#readers/group-members';
import type { Reader, UserReader } from '#readers/reader';
import { distinct, intersect, isEveryone, once, orNoReaders } from '#readers/reader-lists';
import { groupPrincipal } from '#settings/group-principal';
import type { SourceGroup, SourcePermissions, SourceRef } from '#source';

const CONCURRENT_PAGES = 4;

interface Readers {
  readonly api: ConfluenceApi;
  readonly accounts: Accounts;
  /** The site of the groups: each site has its own `administrators`. */
  readonly site: string;
}

/**
 * Yields the readers of each item: those of its space who are also in the read restrictions of the
 * page and of all its ancestors. An attachment has the readers of its page.
 */
export async function* readPermissions(
  { api, accounts, site }: Readers,
  call: ConnectorCall,
  refs: readonly SourceRef[],
): AsyncGenerator<SourcePermissions, void, void> {
  const ids = refs.map(({ id }) => parseItemId(id));
  const keys = [...new Set(ids.flatMap((id) => id?.spaceKey ?? []))];
  const spaces = new Map<string, Space>();
  for (const space of keys.length === 0 ? [] : (await api.spaces(call, keys)).items) spaces.set(space.key, space);

  const spaceReaders = once(async (key) => {
    const space = spaces.get(key);
    return space === undefined ? [] : distinct(await orNoReaders(api.spaceReaders(call, space)));
  });
  const membersOf = once(async (group) => {
    const members: UserReader[] = [];
    for await (const member of api.members(call, group)) members.push(member);
    return members;
  });
  const restrictedTo = once((contentId) => api.restrictedTo(call, contentId));

  const restricted = async (spaceKey: string, pageId: string): Promise<readonly Reader[]> => {
    let readers = await spaceReaders(spaceKey);
    for (const contentId of [...(await api.ancestors(call, pageId)), pageId]) {
      if (readers.length === 0) return readers;
      const restriction = await restrictedTo(contentId);
      if (restriction !== undefined) readers = await intersect(readers, restriction, membersOf);
    }
    return readers;
  };
  const pageReaders = once((page) => {
    const id = parseItemId(page);
    return id === undefined ? Promise.resolve([]) : orNoReaders(restricted(id.spaceKey, id.pageId));
  });

  const principalsOf = async (readers: readonly Reader[]): Promise<readonly string[]> => {
    if (isEveryone(readers)) return ['public'];
    const users = readers.filter((reader) => reader.kind === 'user');
    const groups = readers.flatMap((reader) =>
      reader.kind === 'group' ? [groupPrincipal('confluence', reader.id, site)] : [],
    );
    return [...new Set([...(await accounts.principalsOf(call, users)), ...groups])].sort();
  };

  yield* inOrder(refs, CONCURRENT_PAGES, async (ref) => {
    const id = parseItemId(ref.id);
    const readers = id === undefined ? [] : await pageReaders(`${id.spaceKey}/${id.pageId}`);
    return { id: ref.id, principals: await principalsOf(readers) };
  });
}

/** Yields all groups of the instance with their members. */
export async function* readGroups(
  { api, accounts, site }: Readers,
  call: ConnectorCall,
): AsyncGenerator<SourceGroup, void, void> {
  for await (const group of api.groups(call)) {
    const members = await memberPrincipals(accounts, call, api.members(call, group));
    yield { principal: groupPrincipal('confluence', group, site), members };
  }
}
