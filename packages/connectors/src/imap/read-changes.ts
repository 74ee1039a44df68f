import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { ConnectorCall } from '#connector';
import { findMessage, searchFolder } from '#imap/find-messages';
import { type Folder, isUnreadableFolder, listFolders, type OpenFolder, openFolder } from '#imap/folders';
import { itemId, parseItemId } from '#imap/item-id';
import { refsOf } from '#imap/item-refs';
import { failedFolder, failedMessage, readPage, withSession } from '#imap/list-messages';
import type { Scope } from '#imap/scope';
import type { SourceEvent } from '#source';
import { SourceError } from '#source-error';

const PAGE = 100;
/** A full listing is faster for more changes in one folder. */
const MAX_CHANGES = 5_000;
/** Each changed message is searched for in the folders before its own. */
const MAX_SEARCHES = 2_000;

const Position = z.object({
  uidValidity: z.string(),
  uidNext: z.int(),
  /** Undefined if the server has no CONDSTORE (RFC 7162): then only new messages are reported. */
  modseq: z.string().optional(),
});
type Position = z.infer<typeof Position>;

/** The position in each folder, by mailbox and the hash of the folder's name. */
const Cursor = z.record(z.string(), z.record(z.string(), Position));
type Cursor = z.infer<typeof Cursor>;

const keyOf = (folder: Folder): string => createHash('sha256').update(folder.path).digest('hex').slice(0, 10);

const positionOf = ({ uidValidity, uidNext, modseq }: OpenFolder): Position => ({
  ...{ uidValidity, uidNext },
  ...(modseq === undefined ? {} : { modseq }),
});

/** Opens a folder; undefined if it was deleted or cannot be opened. */
async function openIfReadable(scope: Scope, call: ConnectorCall, mailbox: string, folder: Folder) {
  try {
    return await withSession(scope, call, mailbox, (step) => openFolder(step, folder));
  } catch (error) {
    if (isUnreadableFolder(error)) return undefined;
    throw error;
  }
}

const isKind = (error: unknown, ...kinds: readonly string[]): error is SourceError =>
  error instanceof SourceError && kinds.includes(error.kind);

/**
 * Lists the folders of each mailbox. Access to one of several mailboxes can end without that of the
 * others; then its error takes the place of its folders.
 */
async function* eachMailbox(scope: Scope, call: ConnectorCall) {
  let failure: SourceError | undefined;
  let isRead = false;
  for (const mailbox of scope.mailboxes) {
    let folders: readonly Folder[];
    try {
      folders = await withSession(scope, call, mailbox, (step) => listFolders(scope, step));
    } catch (error) {
      if (scope.mailboxes.length === 1 || !isKind(error, 'auth', 'forbidden')) throw error;
      failure ??= error;
      yield { mailbox, error };
      continue;
    }
    isRead = true;
    yield { mailbox, folders };
  }
  if (!isRead && failure !== undefined) throw failure;
}

/** Returns the cursor for changes from now on, without the mailboxes that cannot be opened. */
export async function readCursor(scope: Scope, call: ConnectorCall): Promise<string> {
  const cursor: Cursor = {};
  for await (const { mailbox, folders } of eachMailbox(scope, call)) {
    if (folders === undefined) continue;
    const positions: Record<string, Position> = {};
    for (const folder of folders) {
      const open = await openIfReadable(scope, call, mailbox, folder);
      if (open !== undefined) positions[keyOf(folder)] = positionOf(open);
    }
    cursor[mailbox] = positions;
  }
  return JSON.stringify(cursor);
}

const forgotten = () => new SourceError('gone', 'The folders of a mailbox changed. A full sync is needed.');

/** Returns the UIDs of messages that are new in a folder or whose flags changed. */
async function searchChanges(
  scope: Scope,
  call: ConnectorCall,
  mailbox: string,
  { folder, from }: { readonly folder: Folder; readonly from: Position },
): Promise<readonly number[]> {
  return withSession(scope, call, mailbox, async (step) => {
    const { modseq } = await openFolder(step, folder);
    const added = await searchFolder(scope, step, { uid: `${from.uidNext}:*` });
    const since = modseq === undefined ? undefined : from.modseq;
    const flagged = since === undefined ? [] : await searchFolder(scope, step, { modseq: BigInt(since) + 1n });
    // `n:*` always contains the last message.
    return [...new Set([...added.filter((uid) => uid >= from.uidNext), ...flagged])].sort((a, b) => a - b);
  });
}

/** Like `searchChanges`. Throws `gone` if a full listing is needed. */
async function changedUids(...parameters: Parameters<typeof searchChanges>): Promise<readonly number[]> {
  try {
    const uids = await searchChanges(...parameters);
    if (uids.length <= MAX_CHANGES) return uids;
  } catch (error) {
    // The response was too large to be read.
    if (!isKind(error, 'too_large')) throw error;
  }
  throw forgotten();
}

async function* changesOf(
  scope: Scope,
  call: ConnectorCall,
  mailbox: string,
  change: { readonly folders: readonly Folder[]; readonly folder: Folder; readonly from: Position },
): AsyncGenerator<SourceEvent, void, void> {
  const { folders, folder, from } = change;
  const before = folders.slice(0, folders.indexOf(folder) + 1);
  const uids = await changedUids(scope, call, mailbox, { folder, from });
  if (uids.length * before.length > MAX_SEARCHES && uids.length > 1) throw forgotten();
  for (let at = 0; at < uids.length; at += PAGE) {
    const page = { mailbox, folder, uidValidity: from.uidValidity };
    for (const described of await readPage(scope, call, page, uids.slice(at, at + PAGE))) {
      if ('unreadable' in described) {
        yield failedMessage(mailbox, folder, described.unreadable);
        continue;
      }
      const name = parseItemId(itemId(mailbox, described.facts.key));
      if (name === undefined) continue;
      const { uid, key } = described.facts;
      try {
        // Another copy may come first.
        const found = await withSession(scope, call, mailbox, (step) => findMessage(scope, step, name, before));
        for (const ref of found === undefined ? [] : refsOf(found, scope.readsAttachments)) yield { type: 'item', ref };
      } catch (error) {
        // It was deleted meanwhile, and a folder before cannot be opened.
        if (isUnreadableFolder(error)) continue;
        if (!isKind(error, 'invalid', 'too_large')) throw error;
        yield failedMessage(mailbox, folder, { uid, key, problem: 'it cannot be distinguished from others' });
      }
    }
  }
}

/**
 * Yields new and moved messages since a cursor, and those whose labels changed. Only a full listing
 * detects deletions. Throws `gone` if a folder was added, removed or numbered again.
 */
export async function* readChanges(
  scope: Scope,
  call: ConnectorCall,
  cursor: string,
): AsyncGenerator<SourceEvent, void, void> {
  const before = Cursor.parse(JSON.parse(cursor));
  const current: Cursor = { ...before };
  for await (const { mailbox, folders, error } of eachMailbox(scope, call)) {
    if (folders === undefined) {
      yield failedFolder(mailbox, '', error);
      continue;
    }
    const positions = { ...before[mailbox] };
    current[mailbox] = positions;
    const known = new Set(folders.map(keyOf));
    if (before[mailbox] === undefined || Object.keys(positions).some((key) => !known.has(key))) throw forgotten();
    for (const folder of folders) {
      const from = positions[keyOf(folder)];
      const open = await openIfReadable(scope, call, mailbox, folder);
      if (open === undefined && from === undefined) continue;
      if (open === undefined || from?.uidValidity !== open.uidValidity) throw forgotten();
      const to = positionOf(open);
      if (to.uidNext === from.uidNext && to.modseq === from.modseq) continue;
      yield* changesOf(scope, call, mailbox, { folders, folder, from });
      positions[keyOf(folder)] = to;
      yield { type: 'checkpoint', at: JSON.stringify(current) };
    }
    yield { type: 'checkpoint', at: JSON.stringify(current) };
  }
  yield { type: 'checkpoint', at: JSON.stringify(current) };
  yield { type: 'complete', authoritative: false };
}
