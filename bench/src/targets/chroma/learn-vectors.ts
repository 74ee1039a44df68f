import { createLsiEncoder, type LsiEncoder, lsiFromBytes, startLsiTraining } from '@lectern/embeddings';
import type { StoredPassage } from '#targets/chroma/stored-passages';

/** Passages per training batch. */
const BATCH = 500;

/**
 * Trains the builtin embedding on passages like Lectern does, so that peers get vectors of the same
 * quality and length.
 */
export async function learnVectors(passages: readonly StoredPassage[], signal: AbortSignal): Promise<LsiEncoder> {
  const training = startLsiTraining({ signal });
  try {
    for (let at = 0; at < passages.length; at += BATCH) {
      if (!(await training.add(passages.slice(at, at + BATCH)))) break;
    }
    const { bytes } = await training.learn();
    return createLsiEncoder(lsiFromBytes(bytes));
  } finally {
    await training.close();
  }
}
