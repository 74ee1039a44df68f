import { type Chunk, chunkText } from '@lectern/documents';
import { type AnalyzedPassage, analyzePassage, DocumentEncoder, type SparseEncoder } from '@lectern/embeddings';
import { createTextSketcher, joinHeadings } from '@lectern/text';
import type { Passage } from '@lectern/vector-store';
import { metadataOf } from '#documents/metadata';
import type { Document } from '#gen/prisma/client';
import { embeddedText } from '#indexing/embedded-text';
import type { LanguageCounts } from '#indexing/language-counts';
import type { EncodePassages } from '#spaces/passage-encoder';

// Passages to embed and store in one step; limits the memory for a large document.
const BATCH = 64;

/** What the first passage stores about its whole document. */
type DocumentTraits = Pick<Passage, 'terms' | 'documentWords' | 'sketch'>;

function traitsOf(chunks: readonly Chunk[], analyze: (chunk: Chunk) => AnalyzedPassage): DocumentTraits {
  const encoder = new DocumentEncoder();
  const sketcher = createTextSketcher();
  for (const chunk of chunks) {
    encoder.add(analyze(chunk));
    sketcher.add(chunk.text);
  }
  const { ids, vector } = encoder.words();
  return { terms: ids, documentWords: vector, sketch: sketcher.sketch() };
}

/**
 * Analyzes the chunks of a document. The document is analyzed twice, as a whole and batch by batch;
 * only a document of one batch keeps its analyses in between.
 */
function analyzer(title: string, chunks: readonly Chunk[]): (chunk: Chunk) => AnalyzedPassage {
  const known = new Map<Chunk, AnalyzedPassage>();
  return (chunk) => {
    const analyzed =
      known.get(chunk) ?? analyzePassage({ title, heading: joinHeadings(chunk.headingPath), text: chunk.text });
    if (chunks.length <= BATCH) known.set(chunk, analyzed);
    return analyzed;
  };
}

/** Splits a document into passages with vectors, batch by batch. Counts their languages. */
export async function* buildPassages(
  encoders: { readonly encode: EncodePassages; readonly sparse: SparseEncoder },
  document: Document,
  content: string,
  languages: LanguageCounts,
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
  const analyze = analyzer(document.title, chunks);
  const traits = traitsOf(chunks, analyze);
  for (let from = 0; from < chunks.length; from += BATCH) {
    signal.throwIfAborted();
    const batch = chunks.slice(from, from + BATCH).map((chunk) => {
      const analyzed = analyze(chunk);
      languages.add(analyzed);
      const { language } = analyzed;
      const sparse = encoders.sparse.encodeDocument(analyzed);
      return { chunk, language, sparse, text: embeddedText(document.title, chunk.headingPath, chunk.text) };
    });
    const { space, vectors } = await encoders.encode(batch, signal);
    yield batch.map(({ chunk, language, sparse }, at) => {
      const dense = vectors[at];
      if (dense === undefined) throw new Error('The encoder returned fewer vectors than texts.');
      return {
        ...shared,
        chunk: chunk.index,
        ...(chunk.index === 0 && traits),
        heading: joinHeadings(chunk.headingPath),
        text: chunk.text,
        language,
        start: chunk.start,
        end: chunk.end,
        dense,
        ...(space === undefined ? {} : { space }),
        sparse,
      };
    });
  }
}
