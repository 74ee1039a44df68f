import type { Context } from '#context';
import { statesBefore } from '#document-status';
import { type DocumentWithCollection, WITH_COLLECTION } from '#documents/document-record';
import { toJson } from '#documents/metadata';
import type { Prisma } from '#gen/prisma/client';

/** The new content of a document. It replaces the earlier version completely. */
export interface NewContent {
  readonly title: string;
  readonly content: string;
  readonly type: string;
  readonly url?: string | undefined;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  readonly principals: readonly string[];
  /** Set for documents of the API. Other documents have their connector's source. */
  readonly source?: string | undefined;
}

/**
 * Stores a document's content as its next version and marks it `processing`. Returns undefined if
 * `where` matches no live document.
 */
export function storeContent(
  { db }: Context,
  where: Prisma.DocumentWhereInput,
  newContent: NewContent,
): Promise<DocumentWithCollection | undefined> {
  return db.$transaction(async (tx) => {
    const [row] = await tx.document.updateManyAndReturn({
      where: { AND: [where, { status: { in: statesBefore('processing') } }] },
      data: {
        title: newContent.title,
        type: newContent.type,
        url: newContent.url ?? null,
        metadata: toJson(newContent.metadata),
        ...(newContent.source === undefined ? {} : { source: newContent.source }),
        principals: [...newContent.principals],
        status: 'processing',
        errorCode: null,
        errorMessage: null,
        version: { increment: 1 },
        sizeBytes: Buffer.byteLength(newContent.content),
      },
      include: WITH_COLLECTION,
    });
    if (row === undefined) return undefined;
    const text = { content: newContent.content, summary: null };
    await tx.documentContent.upsert({
      where: { documentId: row.id },
      create: { documentId: row.id, ...text },
      update: text,
      select: { documentId: true },
    });
    return row;
  });
}
