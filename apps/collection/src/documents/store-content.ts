import { notFound } from '@lectern/service-kit';
import type { Context } from '#context';
import { type DocumentWithCollection, WITH_COLLECTION } from '#documents/document-record';
import { toJson } from '#documents/metadata';
import { statesBefore } from '#documents/status';

/** What a document holds from now on; nothing of an earlier version stays. */
export interface NewContent {
  readonly title: string;
  readonly content: string;
  readonly type: string;
  readonly url?: string | undefined;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  readonly principals: readonly string[];
  /** Given for a document of the API; that of a connector's is the connector's. */
  readonly source?: string | undefined;
}

/** Stores a document's content as its next version and marks it `processing`. Throws `not_found` where it was deleted. */
export function storeContent(
  { db }: Context,
  teamId: string,
  id: string,
  given: NewContent,
): Promise<DocumentWithCollection> {
  return db.$transaction(async (tx) => {
    const { count } = await tx.document.updateMany({
      where: { id, teamId, status: { in: statesBefore('processing') } },
      data: {
        title: given.title,
        type: given.type,
        url: given.url ?? null,
        metadata: toJson(given.metadata),
        ...(given.source === undefined ? {} : { source: given.source }),
        principals: [...given.principals],
        status: 'processing',
        errorCode: null,
        errorMessage: null,
        version: { increment: 1 },
        sizeBytes: Buffer.byteLength(given.content),
      },
    });
    if (count === 0) throw notFound('document', id);
    const text = { content: given.content, summary: null };
    await tx.documentContent.upsert({ where: { documentId: id }, create: { documentId: id, ...text }, update: text });
    return tx.document.findUniqueOrThrow({ where: { id }, include: WITH_COLLECTION });
  });
}
