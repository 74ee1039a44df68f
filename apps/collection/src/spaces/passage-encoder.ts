import type { SparseVector } from '@lectern/vector-store';
import type { Context } from '#context';
import { BASE_SPACE, type Corpus } from '#spaces/active-spaces';

/** A passage to encode: the text for text encoders, the terms for learned spaces. */
interface EncodablePassage {
  readonly text: string;
  readonly sparse: SparseVector;
}

/** Dense vectors, and their space if the model has several. */
interface EncodedPassages {
  readonly space: string | undefined;
  readonly vectors: readonly Float32Array[];
}

/** Encodes a batch of passages. */
export type EncodePassages = (passages: readonly EncodablePassage[], signal: AbortSignal) => Promise<EncodedPassages>;

/** Encodes a corpus's new passages, each batch in the newest space at that time. */
export async function createPassageEncoder(
  context: Context,
  corpus: Corpus,
  signal: AbortSignal,
): Promise<EncodePassages> {
  const encoder = await context.readyEncoder(corpus.embeddingModel, signal);
  const texts = async (passages: readonly EncodablePassage[], signal: AbortSignal) =>
    encoder.embedDocuments(
      passages.map(({ text }) => text),
      { signal },
    );
  if (encoder.learnsSpaces !== true) {
    return async (passages, signal) => ({ space: undefined, vectors: await texts(passages, signal) });
  }
  return async (passages, signal) => {
    const space = await context.newestSpace(corpus);
    if (space === BASE_SPACE) return { space, vectors: await texts(passages, signal) };
    const learned = await context.spaceEncoder(space);
    return { space, vectors: passages.map(({ sparse }) => learned.encodePassage(sparse)) };
  };
}
