import type { Context } from '#context';
import { BASE_SPACE, type Corpus, readySpaces } from '#spaces/active-spaces';

/** An answer may be this part of the settling time old: passages move to a new space only when everybody has known it for long. */
const SHARE_OF_SETTLING = 0.05;

/** The space that new passages of a corpus go to; asked of the rows once in a while, not for each document of a sync. */
export function createNewestSpaces(db: Context['db'], settleMs: number): (corpus: Corpus) => Promise<string> {
  const maxAgeMs = settleMs * SHARE_OF_SETTLING;
  const known = new Map<string, { readonly askedAt: number; readonly space: Promise<string> }>();
  return (corpus) => {
    const key = JSON.stringify([corpus.teamId, corpus.embeddingModel]);
    const answer = known.get(key);
    const now = performance.now();
    if (answer !== undefined && now - answer.askedAt < maxAgeMs) return answer.space;
    const space = readySpaces({ db }, corpus).then(([newest]) => newest?.id ?? BASE_SPACE);
    // Rejections are the asker's to handle, and are not kept.
    space.catch(() => known.delete(key));
    for (const [old, { askedAt }] of known) if (now - askedAt >= maxAgeMs) known.delete(old);
    known.set(key, { askedAt: now, space });
    return space;
  };
}
