import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { ConnectorCall } from '#connector';
import { quickRetry } from '#http/quick-retry';
import { describeMessages, readKeys, searchRange } from '#imap/find-messages';
import { compareFolders, type Folder, isUnreadableFolder, listFolders, openFolder } from '#imap/folders';
import { compactKey, itemId } from '#imap/item-id';
import { refsOf } from '#imap/item-refs';
import type { Described, UnreadableMessage } from '#imap/message-facts';
import type { Step } from '#imap/open-session';
import type { Scope } from '#imap/scope';
import { type UidRange, uidRanges } from '#imap/uid-ranges';
import { type SourceEvent, UNREADABLE_ENTRY } from '#source';
import { SourceError } from '#source-error';

const PAGE = 100;
/** Messages that were listed before: less is read of them. */
const SKIPPED_PAGE = 500;
/** Items between two checkpoints, besides the attachments of one message. */
const ITEMS_PER_CHECKPOINT = 500;
/** Bounds the memory, as the copies of messages are recognized. */
const MAX_MESSAGES = 1_000_000;

/** The position of a listing: the last listed message of a folder. */
const Checkpoint = z.object({
  mailbox: z.string(),
  path: z.string(),
  rank: z.int(),
  uidValidity: z.string(),
  after: z.int(),
  /** True if a folder or message before could not be read, so that items may be missing. */
  partial: z.boolean(),
});
type Checkpoint = z.infer<typeof Checkpoint>;

type FailedEvent = Extract<SourceEvent, { type: 'failed' }>;

const isKind = (error: unknown, ...kinds: readonly string[]): error is SourceError =>
  error instanceof SourceError && kinds.includes(error.kind);

/** Runs `use` with a session, and retries failures that may be over soon. */
export const withSession = <T>(
  { sessions }: Scope,
  call: ConnectorCall,
  mailbox: string,
  use: (step: Step) => Promise<T>,
): Promise<T> => quickRetry(call.signal, () => sessions.use(call.signal, mailbox, use));

/** Returns the event for an unreadable message. If it is unknown which one, nothing is deleted. */
export function failedMessage(mailbox: string, folder: Folder, message: UnreadableMessage): FailedEvent {
  const { uid, key, problem } = message;
  const isNamed = key !== undefined;
  const digest = createHash('sha256').update(`${mailbox}\n${folder.path}\n${uid}`).digest('hex').slice(0, 16);
  return {
    type: 'failed',
    id: isNamed ? itemId(mailbox, key) : `unreadable:${digest}`,
    path: `${mailbox}/${folder.name}`,
    error: {
      code: isNamed ? 'invalid' : UNREADABLE_ENTRY,
      message: `The message with the UID ${uid} of the folder ${folder.name} is unreadable: ${problem}.${isNamed ? '' : ' This sync deletes nothing, because it is unknown which document it is.'}`,
    },
  };
}

export const failedFolder = (mailbox: string, name: string, error: SourceError): FailedEvent => ({
  type: 'failed',
  id: `${encodeURIComponent(mailbox)}/${encodeURIComponent(name)}`.slice(0, 500),
  path: `${mailbox}/${name}`,
  error: { code: UNREADABLE_ENTRY, message: error.message },
});

/** Messages of a folder, which keep their UIDs as long as `uidValidity` is the same. */
interface NumberedFolder {
  readonly mailbox: string;
  readonly folder: Folder;
  readonly uidValidity: string;
}

/** Runs `use` in an open folder. */
const inFolder = <T>(
  scope: Scope,
  call: ConnectorCall,
  { mailbox, folder, uidValidity }: NumberedFolder,
  use: (step: Step) => Promise<T>,
): Promise<T> =>
  withSession(scope, call, mailbox, async (step) => {
    const open = await openFolder(step, folder);
    if (open.uidValidity !== uidValidity) {
      throw new SourceError('transient', `The server numbered the messages of the folder ${folder.name} again.`);
    }
    return use(step);
  });

/** Returns the keys of messages. Those whose headers are too large have none. */
async function keysOf(
  scope: Scope,
  call: ConnectorCall,
  numbered: NumberedFolder,
  uids: readonly number[],
): Promise<readonly (readonly [number, string | undefined])[]> {
  if (uids.length === 0) return [];
  try {
    return [...(await inFolder(scope, call, numbered, (step) => readKeys(step, uids)))];
  } catch (error) {
    if (!isKind(error, 'too_large')) throw error;
    if (uids.length === 1) return [];
    const half = Math.ceil(uids.length / 2);
    return [
      ...(await keysOf(scope, call, numbered, uids.slice(0, half))),
      ...(await keysOf(scope, call, numbered, uids.slice(half))),
    ];
  }
}

/**
 * Describes messages of a folder. An unreadable response ends its connection, so the
 * messages are then read in halves, to fail only those with such a response.
 */
export async function readPage(
  scope: Scope,
  call: ConnectorCall,
  numbered: NumberedFolder,
  uids: readonly number[],
): Promise<readonly Described[]> {
  const [uid] = uids;
  if (uid === undefined) return [];
  try {
    return await inFolder(scope, call, numbered, (step) => describeMessages(scope, step, uids));
  } catch (error) {
    if (!isKind(error, 'too_large')) throw error;
    if (uids.length === 1) {
      const [found] = await keysOf(scope, call, numbered, uids);
      return [{ unreadable: { uid, key: found?.[1], problem: 'its description is too large' } }];
    }
    const half = Math.ceil(uids.length / 2);
    return [
      ...(await readPage(scope, call, numbered, uids.slice(0, half))),
      ...(await readPage(scope, call, numbered, uids.slice(half))),
    ];
  }
}

const checkpointAt = (position: Checkpoint): SourceEvent => ({ type: 'checkpoint', at: JSON.stringify(position) });

interface MailboxListing {
  readonly mailbox: string;
  readonly from: Checkpoint | undefined;
  /** True if something before could not be read. */
  partial: boolean;
}

/** Returns the index of the first UID that is listed. */
function firstIndex(uids: readonly number[], isListed: (uid: number) => boolean): number {
  const index = uids.findIndex(isListed);
  return index < 0 ? uids.length : index;
}

/** Lists a mailbox, folder by folder. A message with copies in several folders is one item. */
async function* listMailbox(
  scope: Scope,
  call: ConnectorCall,
  state: MailboxListing,
): AsyncGenerator<SourceEvent, void, void> {
  const { mailbox, from } = state;
  const folders = await withSession(scope, call, mailbox, (step) => listFolders(scope, step));
  const seen = new Set<string>();
  let total = 0;
  let sinceCheckpoint = 0;
  for (const folder of folders) {
    const order = from === undefined ? 1 : compareFolders(folder, from);
    let ranges: readonly UidRange[];
    let first: readonly number[];
    let uidValidity: string;
    try {
      ({ ranges, first, uidValidity } = await withSession(scope, call, mailbox, async (step) => {
        const open = await openFolder(step, folder);
        const split = await uidRanges(step, open);
        return { uidValidity: open.uidValidity, ranges: split, first: await searchRange(scope, step, split[0]) };
      }));
    } catch (error) {
      if (!isUnreadableFolder(error)) throw error;
      // A folder that was deleted has no items: each one that is missing is looked up.
      if (error.kind !== 'gone' && order >= 0) {
        state.partial = true;
        yield failedFolder(mailbox, folder.name, error);
      }
      continue;
    }
    // Messages before the checkpoint are not listed again, but they decide which copy counts.
    const isListed = (uid: number) =>
      order > 0 || (order === 0 && (from?.uidValidity !== uidValidity || uid > from.after));
    const checkpoint = (after: number): SourceEvent => {
      sinceCheckpoint = 0;
      const { path, rank } = folder;
      const position: Checkpoint = { mailbox, path, rank, uidValidity, after, partial: state.partial };
      return checkpointAt(position);
    };
    const numbered = { mailbox, folder, uidValidity };
    for (const range of ranges) {
      const uids =
        range === ranges[0] ? first : await inFolder(scope, call, numbered, (step) => searchRange(scope, step, range));
      total += uids.length;
      if (total > MAX_MESSAGES) {
        throw new SourceError(
          'invalid',
          `The mailbox has more than ${MAX_MESSAGES} messages, which is the limit. Set config.since or config.folders.`,
        );
      }
      if (uids.length === 0) {
        yield from !== undefined && !isListed(range.from) ? checkpointAt(from) : checkpoint(range.from - 1);
      }
      const start = firstIndex(uids, isListed);
      for (let at = 0; from !== undefined && at < start; at += SKIPPED_PAGE) {
        const page = uids.slice(at, Math.min(at + SKIPPED_PAGE, start));
        for (const [, key] of await keysOf(scope, call, numbered, page)) {
          if (key !== undefined) seen.add(compactKey(key));
        }
        // Without an event for minutes, a sync counts as silent, and would start again forever.
        yield checkpointAt(from);
      }
      for (let at = start; at < uids.length; at += PAGE) {
        const page = uids.slice(at, at + PAGE);
        for (const described of await readPage(scope, call, numbered, page)) {
          if ('unreadable' in described) {
            yield failedMessage(mailbox, folder, described.unreadable);
            continue;
          }
          const { facts } = described;
          const known = compactKey(facts.key);
          if (seen.has(known)) continue;
          seen.add(known);
          const found = { mailbox, facts, place: { folder: folder.name, uidValidity, uid: facts.uid } };
          const refs = refsOf(found, scope.readsAttachments);
          for (const ref of refs) yield { type: 'item', ref };
          sinceCheckpoint += refs.length;
          if (sinceCheckpoint >= ITEMS_PER_CHECKPOINT) yield checkpoint(facts.uid);
        }
        yield checkpoint(page.at(-1) ?? 0);
      }
    }
  }
}

/**
 * Lists all messages and attachments. A message can move during the listing, so each item that is
 * missing must be looked up before it is deleted.
 */
export async function* listMessages(
  scope: Scope,
  call: ConnectorCall,
  from: string | undefined,
): AsyncGenerator<SourceEvent, void, void> {
  const start = from === undefined ? undefined : Checkpoint.parse(JSON.parse(from));
  const first = start === undefined ? 0 : Math.max(scope.mailboxes.indexOf(start.mailbox), 0);
  let partial = start?.partial ?? false;
  let isRead = start !== undefined;
  let failure: SourceError | undefined;
  for (const mailbox of scope.mailboxes.slice(first)) {
    const state: MailboxListing = { mailbox, partial, from: mailbox === start?.mailbox ? start : undefined };
    try {
      yield* listMailbox(scope, call, state);
      partial = state.partial;
      isRead = true;
    } catch (error) {
      // Access to one of several mailboxes can end without that of the others.
      if (scope.mailboxes.length === 1 || !isKind(error, 'auth', 'forbidden')) throw error;
      partial = true;
      failure = error;
      yield failedFolder(mailbox, '', error);
    }
  }
  if (!isRead && failure !== undefined) throw failure;
  yield { type: 'complete', authoritative: !partial, confirmGone: true };
}
