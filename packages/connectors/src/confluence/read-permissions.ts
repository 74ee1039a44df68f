import type { ConnectorCall } from '../connector.ts';
import { groupPrincipal } from '../settings/group-principal.ts';
import type { SourceGroup, SourcePermissions, SourceRef } from '../source.ts';
import { SourceError } from '../source-error.ts';
import type { Accounts } from './accounts.ts';
import type { ConfluenceApi, Reader, Space, UserReader } from './confluence-api.ts';
import { inOrder } from './in-order.ts';
import { parseItemId } from './item-id.ts';

const PAGES_AT_ONCE = 4;

/** What readers are asked of. */
interface Readers {
  readonly api: ConfluenceApi;
  readonly accounts: Accounts;
  /** Where the groups are: each site has its own `administrators`. */
  readonly site: string;
}

const keyOf = (reader: Reader): string => (reader.kind === 'everyone' ? 'everyone' : `${reader.kind}:${reader.id}`);
const isEveryone = (readers: readonly Reader[]): boolean => readers.some(({ kind }) => kind === 'everyone');
const distinct = (readers: readonly Reader[]): readonly Reader[] => [
  ...new Map(readers.map((reader) => [keyOf(reader), reader])).values(),
];

/** Answers kept for one pass, so that each is asked for once. */
function once<T>(ask: (key: string) => Promise<T>): (key: string) => Promise<T> {
  const answers = new Map<string, Promise<T>>();
  return (key) => {
    const answer = answers.get(key) ?? ask(key);
    answers.set(key, answer);
    return answer;
  };
}

/** Whom two lists both let read. Where one names a group and the other its members, or another group, the people count. */
async function intersect(
  a: readonly Reader[],
  b: readonly Reader[],
  membersOf: (group: string) => Promise<readonly UserReader[]>,
): Promise<readonly Reader[]> {
  if (isEveryone(a)) return b;
  if (isEveryone(b)) return a;
  const inB = new Set(b.map(keyOf));
  const same = a.filter((reader) => inB.has(keyOf(reader)));
  if (same.length === a.length || same.length === b.length) return same;
  const people = async (readers: readonly Reader[]): Promise<readonly UserReader[]> => {
    const each = await Promise.all(
      readers.map(async (reader) => {
        if (reader.kind === 'user') return [reader];
        return reader.kind === 'group' ? membersOf(reader.id) : [];
      }),
    );
    return each.flat();
  };
  const peopleOfB = new Set((await people(b)).map(({ id }) => id));
  const shared = (await people(a)).filter(({ id }) => peopleOfB.has(id));
  return distinct([...same, ...shared]);
}

/** Nobody may read what cannot be told; what a wait may mend is thrown. */
async function orNobody(readers: Promise<readonly Reader[]>): Promise<readonly Reader[]> {
  try {
    return await readers;
  } catch (error) {
    if (error instanceof SourceError && ['gone', 'forbidden', 'invalid'].includes(error.kind)) return [];
    throw error;
  }
}

/**
 * Who may read each item: whom its space lets read, and each read restriction of the page and of everything above it. An attachment is
 * read by whom its page is.
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
    return space === undefined ? [] : distinct(await orNobody(api.spaceReaders(call, space)));
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
    return id === undefined ? Promise.resolve([]) : orNobody(restricted(id.spaceKey, id.pageId));
  });

  const principalsOf = async (readers: readonly Reader[]): Promise<readonly string[]> => {
    if (isEveryone(readers)) return ['public'];
    const users = readers.filter((reader) => reader.kind === 'user');
    const groups = readers.flatMap((reader) =>
      reader.kind === 'group' ? [groupPrincipal('confluence', reader.id, site)] : [],
    );
    return [...new Set([...(await accounts.principalsOf(call, users)), ...groups])].sort();
  };

  yield* inOrder(refs, PAGES_AT_ONCE, async (ref) => {
    const id = parseItemId(ref.id);
    const readers = id === undefined ? [] : await pageReaders(`${id.spaceKey}/${id.pageId}`);
    return { id: ref.id, principals: await principalsOf(readers) };
  });
}

/** Every group of the instance, with its members. */
export async function* readGroups(
  { api, accounts, site }: Readers,
  call: ConnectorCall,
): AsyncGenerator<SourceGroup, void, void> {
  for await (const group of api.groups(call)) {
    const members: UserReader[] = [];
    try {
      for await (const member of api.members(call, group)) members.push(member);
    } catch (error) {
      // Deleted since it was listed, or hidden: it has no members that are known.
      if (!(error instanceof SourceError) || !['gone', 'forbidden', 'invalid'].includes(error.kind)) throw error;
    }
    const principals = new Set(await accounts.principalsOf(call, members));
    yield { principal: groupPrincipal('confluence', group, site), members: [...principals] };
  }
}
