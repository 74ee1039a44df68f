import { type ErrorCode, isErrorCode } from '@lectern/contracts';
import type { Caller } from '@lectern/service-kit';
import { z } from 'zod';
import { documentsOf, sourcesOf } from '#conversations/readable-replies';
import { storedSteps } from '#conversations/reply-step';
import {
  type StoredReply,
  storedConfidence,
  storedUsage,
  TIMED_OUT,
  type WithDocuments,
} from '#conversations/stored-reply';
import { ownedBy } from '#conversations/visibility';
import type { PrismaClient } from '#gen/prisma/client';
import { readerOf } from '#replies/reader-of';
import type { PartialReply } from '#replies/reply-rest';

/** A reply that is stored. */
export interface FinishedReply extends PartialReply, WithDocuments, Omit<StoredReply, 'content'> {
  readonly kind: 'finished';
}

/** A reply in any state. */
export type FoundReply =
  | FinishedReply
  | (PartialReply & WithDocuments & { readonly kind: 'failed'; readonly code: ErrorCode; readonly message: string })
  /** `lost`: the replica that wrote it has stopped. */
  | (PartialReply & WithDocuments & { readonly kind: 'open' | 'lost' });

/** How long one read keeps an unfinished reply alive, in milliseconds. */
const READER_LEASE_MS = 3_000;

const UNKNOWN_USAGE = { promptTokens: 0, completionTokens: 0, totalTokens: 0 };

const storedFailure = z.object({ code: z.string().refine(isErrorCode), message: z.string() });

/**
 * Finds a reply. Marks an open one as being read. Returns undefined for an unknown reply or one
 * that the caller cannot see. Only the caller that requested an open reply can find it, because the
 * reply is written with that caller's access. Its row is deleted in the transaction that stores the
 * finished reply, so it is looked up first.
 */
export async function findReply(db: PrismaClient, caller: Caller, id: string): Promise<FoundReply | undefined> {
  const conversation = ownedBy(caller);
  const [open] = await db.openReply.updateManyAndReturn({
    where: { id, conversation, reader: readerOf(caller) },
    data: { readerUntil: new Date(Date.now() + READER_LEASE_MS) },
    include: { conversation: { select: { turnId: true, turnUntil: true } } },
  });
  if (open !== undefined) {
    const { content, documents } = open;
    const known = { content, documents, steps: storedSteps.parse(open.steps) };
    if (open.failure !== null) return { ...known, kind: 'failed', ...storedFailure.parse(open.failure) };
    const { turnId, turnUntil } = open.conversation;
    const isLeased = turnId === id && turnUntil !== null && turnUntil.getTime() > Date.now();
    return { ...known, kind: isLeased ? 'open' : 'lost' };
  }
  const stored = await db.message.findFirst({ where: { id, role: 'assistant', conversation } });
  if (stored === null) return undefined;
  const known = {
    content: stored.content,
    documents: documentsOf(stored),
    steps: storedSteps.parse(stored.steps ?? []),
  };
  if (stored.status === 'timed_out') return { ...known, kind: 'failed', code: 'timeout', message: TIMED_OUT };
  return {
    ...known,
    kind: 'finished',
    sources: sourcesOf(stored.sources),
    confidence: storedConfidence.parse(stored.confidence),
    usage: storedUsage.catch(UNKNOWN_USAGE).parse(stored.usage),
    model: stored.model ?? '',
  };
}

/**
 * Marks an open reply as no longer read here. Never throws: the reader's lease expires after a
 * second anyway.
 */
export async function leaveReply(db: PrismaClient, id: string): Promise<void> {
  await db.openReply.updateMany({ where: { id }, data: { readerUntil: null } }).catch(() => undefined);
}
