import { createLsiEncoder, type LsiEncoder, lsiFromBytes, startLsiTraining } from '@lectern/embeddings';
import type { StoredPassage } from '#targets/chroma/stored-passages';

/** Passages handed to the training at once. */
const BATCH = 500;

/** Learns the builtin embedding from passages as Lectern does: what is compared with it gets vectors of the same quality and length. */
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
