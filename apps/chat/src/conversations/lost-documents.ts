import { z } from 'zod';
import { type StoredSource, storedSource } from '#conversations/stored-reply';
import type { TurnServices } from '#turn/turn-services';

/** What a reply's row says of the documents behind it. */
export interface DocumentsBehind {
  readonly documents: readonly string[];
  readonly sources: unknown;
}

/** What stands in place of a reply that rests on documents that its reader has lost. */
export const WITHHELD =
  'This reply is withheld: it rests on documents that were deleted or that you may no longer read. Ask again to get a new answer.';

/** The sources of a reply as they are stored; none for a reply that has none. */
export const sourcesOf = (stored: unknown): StoredSource[] => z.array(storedSource).parse(stored ?? []);

/** The documents behind a reply: those that it cites, and those whose words it repeats. Of replies from before these were kept, the cited ones. */
export function documentsBehind({ documents, sources }: DocumentsBehind): readonly string[] {
  return documents.length > 0 ? documents : sourcesOf(sources).map(({ id }) => id);
}

/** Tells whether a reader has lost documents behind a reply. */
export interface Readable {
  has(id: string): boolean;
  hasAll(reply: DocumentsBehind): boolean;
}

/** Asks the service that owns the documents once for all replies. It is asked at each reading: access ends when the document or the right does. */
export async function readableBehind(
  services: Pick<TurnServices, 'filterReadable'>,
  replies: readonly DocumentsBehind[],
): Promise<Readable> {
  const ids = [...new Set(replies.flatMap(documentsBehind))];
  const readable = ids.length === 0 ? new Set<string>() : await services.filterReadable(ids);
  return {
    has: (id) => readable.has(id),
    hasAll: (reply) => documentsBehind(reply).every((id) => readable.has(id)),
  };
}
