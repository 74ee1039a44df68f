import { chunkText } from '@lectern/documents';
import { analyzePassage, documentWords, type SparseEncoder } from '@lectern/embeddings';
import type { Passage } from '@lectern/vector-store';
import { metadataOf } from '#documents/metadata';
import type { Document } from '#gen/prisma/client';
import { embeddedText, joinHeadings } from '#indexing/embedded-text';
import type { EncodePassages } from '#spaces/passage-encoder';

// Passages to embed and store in one step; limits the memory for a large document.
const BATCH = 64;

/**
 * Splits a document into passages with vectors, batch by batch. The first passage comes last,
 * because it also stores the words of the whole document.
 */
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
  const [first, ...others] = chunkText(content, { title: document.title });
  const chunks = first === undefined ? [] : [...others, first];
  const words = new Set<number>();
  for (let from = 0; from < chunks.length; from += BATCH) {
    signal.throwIfAborted();
    const batch = chunks.slice(from, from + BATCH).map((chunk) => {
      const heading = joinHeadings(chunk.headingPath);
      const analyzed = analyzePassage({ title: document.title, heading, text: chunk.text });
      for (const word of documentWords(analyzed)) words.add(word);
      const sparse = encoders.sparse.encodeDocument(analyzed);
      return { chunk, heading, sparse, text: embeddedText(document.title, chunk.headingPath, chunk.text) };
    });
    const { space, vectors } = await encoders.encode(batch, signal);
    yield batch.map(({ chunk, heading, sparse }, at) => {
      const dense = vectors[at];
      if (dense === undefined) throw new Error('The encoder returned fewer vectors than texts.');
      return {
        ...shared,
        chunk: chunk.index,
        ...(chunk === first && { terms: [...words] }),
        heading,
        text: chunk.text,
        start: chunk.start,
        end: chunk.end,
        dense,
        ...(space === undefined ? {} : { space }),
        sparse,
      };
    });
  }
}
