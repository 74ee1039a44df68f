import { createHash } from 'node:crypto';
import type { ItemProperties } from '@lectern/connectors';
import { AppError } from '@lectern/service-kit';
import { lockConnector } from '#connectors/connector';
import type { Context } from '#context';
import { type BlobReservation, releaseBlobs, reserveBlobs, takeOverBlobs } from '#files/blobs';
import type { Connector, Prisma } from '#gen/prisma/client';
import { type ItemContent, readStates, type StoredState } from '#push/item-rows';
import { applyChange, type Change, revisionOf } from '#push/item-state';
import { findSnapshot, nameItems, requireOpen } from '#push/snapshots';
import { storeItems } from '#push/store-items';
import { OPEN_STAGES } from '#sync/store/items';
import { ACTIVE_JOB } from '#sync/store/jobs';

/** The content of a put as it arrived. */
export interface NewContent extends Omit<ItemProperties, 'sizeBytes'> {
  readonly bytes: Uint8Array;
}

/** A change of one item. */
export interface ItemChange {
  readonly id: string;
  readonly change: Change<NewContent>;
}

export interface Push {
  /** In the order in which they apply. */
  readonly changes: readonly ItemChange[];
  /** The snapshot that names the items of this push. */
  readonly snapshotId: string | undefined;
  /** Items that are not valid and that the snapshot names too. */
  readonly invalidIds: readonly string[];
  /** True if an item is not valid and its id is unknown. */
  readonly hasInvalidId: boolean;
}

interface PushResult {
  readonly accepted: boolean;
  /** The newest revision of the item. */
  readonly revision: number;
}

export interface Pushed {
  /** In the order of the changes. */
  readonly results: readonly PushResult[];
  /**
   * The job that indexes the changes, or that still indexes the same changes of an earlier push;
   * undefined if there is nothing to index.
   */
  readonly jobId: string | undefined;
}

// --- Apply ---

/** A change whose content is stored. */
interface StoredChange {
  readonly id: string;
  readonly change: Change<ItemContent>;
}

/** Applies changes in their order. Returns the new states and a result for each change. */
function applyAll(before: ReadonlyMap<string, StoredState>, changes: readonly StoredChange[]) {
  const states = new Map<string, StoredState>();
  const results = changes.map(({ id, change }) => {
    const { state, accepted } = applyChange(states.get(id) ?? before.get(id) ?? {}, change);
    states.set(id, state);
    return { accepted, revision: revisionOf(state) };
  });
  return { states, results };
}

// --- Content ---

/** Identifies what is indexed, so that the same content with a new revision is not indexed again. */
function versionOf({ bytes, ...properties }: NewContent): string {
  const { title, fileName, mimeType, url, author, updatedAt, metadata } = properties;
  return createHash('sha256')
    .update(bytes)
    .update(JSON.stringify([title, fileName, mimeType, url, author, updatedAt, metadata]))
    .digest('hex')
    .slice(0, 40);
}

async function* once(bytes: Uint8Array) {
  yield bytes;
}

/** Contents that are stored at the same time. */
const STORING = 8;

/**
 * Stores the contents of puts that are newer than what is stored; the others are not needed.
 * Returns a change with stored content for each change.
 */
async function storeContents(
  ctx: Context,
  connectorId: string,
  changes: readonly ItemChange[],
  keys: BlobReservation,
  signal: AbortSignal,
): Promise<StoredChange[]> {
  const known = await readStates(ctx.db, connectorId, [...new Set(changes.map(({ id }) => id))]);
  const stored: StoredChange[] = [];
  const store = async ({ id, change }: ItemChange): Promise<StoredChange> => {
    if (change.action !== 'put') return { id, change };
    const { bytes, ...properties } = change.content;
    const content = { ...properties, sizeBytes: bytes.byteLength, version: versionOf(change.content), blobKey: '' };
    const put = { ...change, content };
    // The item only gets newer in the meantime, unless a snapshot deletes it: see `requireContents`.
    if (!applyChange(known.get(id) ?? {}, put).accepted) return { id, change: put };
    const blobKey = await keys.next();
    // An item above MAX_FILE_BYTES fails when it is indexed, with its reason.
    await ctx.blobs.put(blobKey, once(bytes), { maxBytes: bytes.byteLength, signal });
    return { id, change: { ...put, content: { ...content, blobKey } } };
  };
  for (let at = 0; at < changes.length; at += STORING) {
    stored.push(...(await Promise.all(changes.slice(at, at + STORING).map(store))));
  }
  return stored;
}

/** Throws `unavailable` if an item was deleted since its content was found to be not needed. */
function requireContents(states: ReadonlyMap<string, StoredState>): void {
  for (const { content } of states.values()) {
    if (content?.value.blobKey === '') {
      throw new AppError('unavailable', 'Items were deleted while they were pushed. Send the request again.');
    }
  }
}

// --- Commit ---

const COMMIT_TIMEOUT_MS = 30_000;

/** Takes the new contents over, except those that a later change in the same push replaced. */
async function takeOverContents(
  tx: Prisma.TransactionClient,
  before: ReadonlyMap<string, StoredState>,
  after: ReadonlyMap<string, StoredState>,
): Promise<void> {
  const keys = [...after].flatMap(([id, { content }]) =>
    content === undefined || content.value.blobKey === before.get(id)?.content?.value.blobKey
      ? []
      : [content.value.blobKey],
  );
  if (keys.length === 0 || (await takeOverBlobs(tx, keys))) return;
  throw new AppError('timeout', 'The push took too long and its contents were discarded. Send the request again.');
}

/** Finds the active job with open items of a push that changed nothing: its response may have been lost. */
async function findJobOf(tx: Prisma.TransactionClient, connectorId: string, ids: readonly string[]) {
  const active = { connectorId, status: { in: ACTIVE_JOB } };
  const job = await tx.syncJob.findFirst({ where: active, select: { id: true } });
  if (job === null) return undefined;
  const where = { jobId: job.id, sourceId: { in: [...ids] }, stage: { in: OPEN_STAGES } };
  return (await tx.syncItem.findFirst({ where, select: { jobId: true } }))?.jobId;
}

/**
 * Stores a push: the contents first, then all changes and the job's items in one transaction. A
 * repeated push changes nothing.
 */
export async function pushItems(ctx: Context, connector: Connector, push: Push, signal: AbortSignal): Promise<Pushed> {
  const { id: connectorId } = connector;
  const keys = reserveBlobs(ctx);
  try {
    const changes = await storeContents(ctx, connectorId, push.changes, keys, signal);
    return await ctx.db.$transaction(
      async (tx) => {
        await lockConnector(tx, connectorId);
        if (push.snapshotId !== undefined) requireOpen(await findSnapshot(tx, connectorId, push.snapshotId));
        const ids = [...new Set(changes.map(({ id }) => id))];
        const before = await readStates(tx, connectorId, ids);
        const { states, results } = applyAll(before, changes);
        requireContents(states);
        await takeOverContents(tx, before, states);
        const jobId = (await storeItems(tx, connector, before, states)) ?? (await findJobOf(tx, connectorId, ids));
        const accepted = new Set(changes.flatMap(({ id }, at) => (results[at]?.accepted === true ? [id] : [])));
        await nameItems(tx, connectorId, { ...push, ids, acceptedIds: [...accepted] });
        return { results, jobId };
      },
      { timeout: COMMIT_TIMEOUT_MS },
    );
  } finally {
    // Contents that items refer to were taken over and are kept.
    await releaseBlobs(ctx, keys.reserved);
  }
}
