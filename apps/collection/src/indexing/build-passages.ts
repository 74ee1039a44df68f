import { type Chunk, chunkText } from '@lectern/documents';
import { documentWords, type SparseEncoder } from '@lectern/embeddings';
import { createTextSketcher } from '@lectern/text';
import type { Passage } from '@lectern/vector-store';
import { metadataOf } from '#documents/metadata';
import type { Document } from '#gen/prisma/client';
import { embeddedText, joinHeadings } from '#indexing/embedded-text';
import type { EncodePassages } from '#spaces/passage-encoder';

// Passages to embed and store in one step; limits the memory for a large document.
const BATCH = 64;

/**
 * Returns the ids of all words of a document without duplicates. They are stored with its first
 * passage.
 */
function wordsOf(title: string, chunks: readonly Chunk[]): number[] {
  const words = new Set<number>();
  for (const chunk of chunks) {
    for (const word of documentWords({ title, heading: joinHeadings(chunk.headingPath), text: chunk.text }))
      words.add(word);
  }
  return [...words];
}

/** Returns the sketch of a document, by which near-duplicates are found. */
function sketchOf(chunks: readonly Chunk[]): string | undefined {
  const sketcher = createTextSketcher();
  for (const { text } of chunks) sketcher.add(text);
  return sketcher.sketch();
}

/** Splits a document into passages with vectors, batch by batch. */
export async function* buildPassages(
  encoders: { readonly encode: EncodePassages; readonly sparse: SparseEncoder },
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
  const words = wordsOf(document.title, chunks);
  const sketch = sketchOf(chunks);
  for (let from = 0; from < chunks.length; from += BATCH) {
    signal.throwIfAborted();
    const batch = chunks.slice(from, from + BATCH).map((chunk) => {
      const heading = joinHeadings(chunk.headingPath);
      const sparse = encoders.sparse.encodeDocument({ title: document.title, heading, text: chunk.text });
      return { chunk, heading, sparse, text: embeddedText(document.title, chunk.headingPath, chunk.text) };
    });
    const { space, vectors } = await encoders.encode(batch, signal);
    yield batch.flatMap(({ chunk, heading, sparse }, i) => {
      const dense = vectors[i];
      if (dense === undefined) throw new Error('The encoder returned fewer vectors than texts.');
      return [
        {
          ...shared,
          chunk: chunk.index,
          ...(chunk.index === 0 && { terms: words, sketch }),
          heading,
          text: chunk.text,
          start: chunk.start,
          end: chunk.end,
          dense,
          ...(space === undefined ? {} : { space }),
          sparse,
        },
      ];
    });
  }
}
