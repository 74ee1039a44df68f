import type { SearchObject } from 'imapflow';
import { fetchRows } from '#imap/fetch-rows';
import { type Folder, isUnreadableFolder, type OpenFolder, openFolder } from '#imap/folders';
import type { ItemName } from '#imap/item-id';
import type { FoundMessage } from '#imap/item-refs';
import { DESCRIPTION, type Described, describe, IDENTITY, keyOf } from '#imap/message-facts';
import type { Step } from '#imap/open-session';
import type { Scope } from '#imap/scope';
import type { UidRange } from '#imap/uid-ranges';
import { SourceError } from '#source-error';

const DAY_MS = 24 * 60 * 60_000;
/** Messages with one Message-ID in one folder that are compared, in pages. */
const MAX_CANDIDATES = 20_000;
const PAGE = 200;

/** Returns the UIDs of the messages to read, in ascending order. */
export async function searchFolder({ since }: Scope, step: Step, query: SearchObject = {}): Promise<readonly number[]> {
  const wanted: SearchObject = { deleted: false, ...(since === undefined ? {} : { since }), ...query };
  return step(async (client) => (await client.search(wanted, { uid: true })) ?? false);
}

/** Returns the UIDs of the messages to read in a range. */
export async function searchRange(scope: Scope, step: Step, { from, to }: UidRange): Promise<readonly number[]> {
  if (from === 1 && to === undefined) return searchFolder(scope, step);
  const uids = await searchFolder(scope, step, { uid: `${from}:${to ?? '*'}` });
  // `n:*` always contains the last message.
  return uids.filter((uid) => uid >= from && (to === undefined || uid <= to));
}

/** Describes messages of the open folder. Messages that were deleted meanwhile are left out. */
export async function describeMessages(
  scope: Scope,
  step: Step,
  uids: readonly number[],
): Promise<readonly Described[]> {
  const byUid = await fetchRows(step, uids, DESCRIPTION, describe);
  const missing = uids.filter((uid) => !byUid.has(uid));
  const present =
    missing.length === 0 ? new Set<number>() : new Set(await searchFolder(scope, step, { uid: missing.join(',') }));
  return uids.flatMap((uid): Described[] => {
    const described = byUid.get(uid);
    if (described !== undefined) return [described];
    return present.has(uid) ? [{ unreadable: { uid, key: undefined, problem: 'the server did not describe it' } }] : [];
  });
}

/** Returns the keys of messages of the open folder, by UID: much less than their descriptions. */
export const readKeys = (step: Step, uids: readonly number[]): Promise<ReadonlyMap<number, string | undefined>> =>
  fetchRows(step, uids, IDENTITY, keyOf);

const dayOf = (timeMs: number) => new Date(new Date(timeMs).toISOString().slice(0, 10));

function queryOf({ search }: ItemName): SearchObject {
  if (search.by === 'messageId') {
    // The search is for a part of the field.
    return { header: { 'message-id': `<${search.messageId}>` } };
  }
  const { receivedAt, sizeBytes } = search;
  // The days of a search are in the time zone of the server.
  const range = { since: dayOf(receivedAt.getTime() - DAY_MS), before: dayOf(receivedAt.getTime() + 2 * DAY_MS) };
  return { ...range, larger: Math.max(sizeBytes - 1, 0), smaller: sizeBytes + 1 };
}

/** Finds a message in the open folder: of several copies, the one with the lowest UID. */
async function findInFolder(
  scope: Scope,
  step: Step,
  name: ItemName,
  { folder, uidValidity }: OpenFolder,
): Promise<FoundMessage | undefined> {
  const query = queryOf(name);
  // Both limits apply: a later `since` of the settings wins.
  const since =
    query.since instanceof Date && scope.since !== undefined && scope.since > query.since ? scope.since : query.since;
  const uids = await searchFolder(scope, step, { ...query, ...(since === undefined ? {} : { since }) });
  for (let at = 0; at < uids.length; at += PAGE) {
    if (at >= MAX_CANDIDATES) {
      throw new SourceError('invalid', `More than ${MAX_CANDIDATES} messages have the same Message-ID.`);
    }
    const page = uids.slice(at, at + PAGE);
    const keys = await readKeys(step, page);
    const uid = page.find((candidate) => keys.get(candidate) === name.key);
    const [described] = uid === undefined ? [] : await describeMessages(scope, step, [uid]);
    if (described === undefined) continue;
    if ('unreadable' in described) {
      throw new SourceError('invalid', `The message is unreadable: ${described.unreadable.problem}.`);
    }
    const { facts } = described;
    return { mailbox: name.mailbox, facts, place: { folder: folder.name, uidValidity, uid: facts.uid } };
  }
  return undefined;
}

/**
 * Finds the copy of a message in the first of the folders that has one. Throws if there is none, but
 * a folder could not be opened: the message may be there.
 */
export async function findMessage(
  scope: Scope,
  step: Step,
  name: ItemName,
  folders: readonly Folder[],
): Promise<FoundMessage | undefined> {
  let failure: SourceError | undefined;
  for (const folder of folders) {
    let open: OpenFolder;
    try {
      open = await openFolder(step, folder);
    } catch (error) {
      if (!isUnreadableFolder(error)) throw error;
      // It may have been deleted since the folders were listed.
      if (error.kind !== 'gone') failure ??= error;
      continue;
    }
    const found = await findInFolder(scope, step, name, open);
    if (found !== undefined) return found;
  }
  if (failure !== undefined) throw failure;
  return undefined;
}
