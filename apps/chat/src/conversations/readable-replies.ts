import { z } from 'zod';
import { type StoredSource, storedSource } from '#conversations/stored-reply';
import type { TurnServices } from '#turn/turn-services';

/** The columns of a reply's row that name the documents that it is based on. */
export interface ReplyDocuments {
  readonly documents: readonly string[];
  readonly sources: unknown;
}

/** The stored sources of a reply; empty if it has none. */
export const sourcesOf = (stored: unknown): StoredSource[] => z.array(storedSource).parse(stored ?? []);

/**
 * The documents that a reply is based on: those it cites and those whose words it repeats. Older
 * replies recorded only the cited ones.
 */
export function documentsOf({ documents, sources }: ReplyDocuments): readonly string[] {
  return documents.length > 0 ? documents : sourcesOf(sources).map(({ id }) => id);
}

/** Reports whether a reader has lost access to a document that a reply is based on. */
export interface Readable {
  has(id: string): boolean;
  hasAll(reply: ReplyDocuments): boolean;
}

/**
 * Asks the collection service once for all replies. It asks at every read, because access ends as
 * soon as a document or a permission is removed.
 */
export async function readableDocumentsOf<R extends ReplyDocuments>(
  services: Pick<TurnServices, 'filterReadable'>,
  replies: readonly R[],
  documentsIn: (reply: R) => readonly string[] = documentsOf,
): Promise<Readable> {
  const ids = [...new Set(replies.flatMap(documentsIn))];
  const readable = ids.length === 0 ? new Set<string>() : await services.filterReadable(ids);
  return {
    has: (id) => readable.has(id),
    hasAll: (reply) => documentsOf(reply).every((id) => readable.has(id)),
  };
}
