import { type Chunk, chunkText } from '@lectern/documents';
import type { DenseEncoder, SparseEncoder } from '@lectern/embeddings';
import type { Passage } from '@lectern/vector-store';
import { metadataOf } from '#documents/metadata';
import type { Document } from '#gen/prisma/client';

// Passages that are embedded and stored in one step; bounds the memory that a large document takes.
const BATCH = 64;
const HEADING_SEPARATOR = ' › ';

/** The text that stands for a passage in the dense space: its place in the document, then its words. */
const embeddedText = (title: string, chunk: Chunk): string =>
  [title, ...chunk.headingPath.filter((heading) => heading !== title), chunk.text].join('\n');

/** Cuts a document into passages with their vectors, a batch at a time. */
export async function* buildPassages(
  encoders: { readonly dense: DenseEncoder; readonly sparse: SparseEncoder },
  document: Document,
  content: string,
  signal: AbortSignal,
): AsyncGenerator<Passage[]> {
  const metadata = metadataOf(document);
  const author = typeof metadata.author === 'string' ? { author: metadata.author } : {};
  const shared = {
    team: document.teamId,
    collection: document.collectionId,
    document: document.id,
    source: document.source,
    ...(document.connectorId === null ? {} : { connector: document.connectorId }),
    ...author,
    type: document.type,
    createdAt: document.createdAt.toISOString(),
    updatedAt: document.updatedAt.toISOString(),
    principals: document.principals,
    version: document.version,
    metadata,
    title: document.title,
    ...(document.url === null ? {} : { url: document.url }),
  };
  const chunks = chunkText(content, { title: document.title });
  for (let from = 0; from < chunks.length; from += BATCH) {
    signal.throwIfAborted();
    const batch = chunks.slice(from, from + BATCH);
    const vectors = await encoders.dense.embedDocuments(
      batch.map((chunk) => embeddedText(document.title, chunk)),
      { signal },
    );
    yield batch.flatMap((chunk, i) => {
      const dense = vectors[i];
      if (dense === undefined) throw new Error('The encoder returned fewer vectors than it was given texts.');
      const heading = chunk.headingPath.join(HEADING_SEPARATOR);
      return [
        {
          ...shared,
          chunk: chunk.index,
          heading,
          text: chunk.text,
          start: chunk.start,
          end: chunk.end,
          dense,
          sparse: encoders.sparse.encodeDocument({ title: document.title, heading, text: chunk.text }),
        },
      ];
    });
  }
}
