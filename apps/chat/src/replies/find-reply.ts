import { type Caller, type ErrorCode, isErrorCode } from '@lectern/service-kit';
import { z } from 'zod';
import { documentsBehind, sourcesOf } from '#conversations/lost-documents';
import { type StoredReply, storedConfidence, storedUsage, type WithDocuments } from '#conversations/stored-reply';
import { visibleTo } from '#conversations/visibility';
import type { PrismaClient } from '#gen/prisma/client';
import { readerOf } from '#replies/reader-of';
import type { KnownReply } from '#replies/reply-rest';
import { storedSteps } from '#replies/reply-step';
import { TIMED_OUT } from '#turn/out-of-time';

/** A reply that is stored. */
export interface FinishedReply extends KnownReply, WithDocuments, Omit<StoredReply, 'content'> {
  readonly kind: 'finished';
}

/** A reply as far as is known of it here. */
export type FoundReply =
  | FinishedReply
  | (KnownReply & WithDocuments & { readonly kind: 'failed'; readonly code: ErrorCode; readonly message: string })
  /** `lost`: whoever wrote it has not been heard of. */
  | (KnownReply & WithDocuments & { readonly kind: 'open' | 'lost' });

/** Milliseconds for which a look keeps a reply going. */
const READ_MS = 1_000;

const NOT_COUNTED = { promptTokens: 0, completionTokens: 0, totalTokens: 0 };

const storedFailure = z.object({ code: z.string().refine(isErrorCode), message: z.string() });

/**
 * Finds a reply. Marks an open one as being read. Returns undefined for an unknown reply or one
 * that the caller cannot see. Only the caller that asked for an open reply can find it, because the
 * reply is written with that caller's access. Its row is deleted in the transaction that stores the
 * finished reply, so it is looked up first.
 */
export async function findReply(db: PrismaClient, caller: Caller, id: string): Promise<FoundReply | undefined> {
  const conversation = visibleTo(caller);
  const [open] = await db.openReply.updateManyAndReturn({
    where: { id, conversation, reader: readerOf(caller) },
    data: { readerUntil: new Date(Date.now() + READ_MS) },
    include: { conversation: { select: { turnId: true, turnUntil: true } } },
  });
  if (open !== undefined) {
    const { content, documents } = open;
    const known = { content, documents, steps: storedSteps.parse(open.steps) };
    if (open.failure !== null) return { ...known, kind: 'failed', ...storedFailure.parse(open.failure) };
    const { turnId, turnUntil } = open.conversation;
    const isHeld = turnId === id && turnUntil !== null && turnUntil.getTime() > Date.now();
    return { ...known, kind: isHeld ? 'open' : 'lost' };
  }
  const stored = await db.message.findFirst({ where: { id, role: 'assistant', conversation } });
  if (stored === null) return undefined;
  const known = {
    content: stored.content,
    documents: documentsBehind(stored),
    steps: storedSteps.parse(stored.steps ?? []),
  };
  if (stored.status === 'timed_out') return { ...known, kind: 'failed', code: 'timeout', message: TIMED_OUT };
  return {
    ...known,
    kind: 'finished',
    sources: sourcesOf(stored.sources),
    confidence: storedConfidence.parse(stored.confidence),
    usage: storedUsage.catch(NOT_COUNTED).parse(stored.usage),
    model: stored.model ?? '',
  };
}

/** Says that an open reply is not read here any more. Never throws: it would be noticed a second later all the same. */
export async function leaveReply(db: PrismaClient, id: string): Promise<void> {
  await db.openReply.updateMany({ where: { id }, data: { readerUntil: null } }).catch(() => undefined);
}
