import { estimateTokens, splitSentences } from '@lectern/text';
import type { Unit } from '#chunk/split-block';

/** Most UTF-16 units a token of running text covers; bounds how far back to look for the beginning of a sentence. */
const charsPerToken = 8;

/**
 * Where the chunk after `taken` begins if it repeats the last sentences of `taken`: the earliest beginning of a sentence
 * from which no more than `budget` tokens remain. Undefined where a heading, table or code block ends the chunk or no
 * sentence is short enough; half a sentence is never repeated, nor the whole chunk.
 */
export const overlapStart = (text: string, taken: readonly Unit[], budget: number): number | undefined => {
  const last = taken.at(-1);
  if (last?.kind !== 'prose' || budget === 0) return undefined;
  const lastOther = taken.findLastIndex((unit) => unit.kind !== 'prose');
  const prose = taken[lastOther + 1] ?? last;
  const from = Math.max(prose.start, last.end - budget * charsPerToken);
  const starts: number[] = [];
  for (const sentence of splitSentences(text, { start: from, end: last.end }, 'chunk')) {
    const isWhole = sentence.start > from || from === prose.start;
    if (isWhole && sentence.start !== taken[0]?.start) starts.push(sentence.start);
  }
  let found: number | undefined;
  let left = budget;
  let end = last.end;
  for (const start of starts.reverse()) {
    left -= estimateTokens(text, start, end);
    if (left < 0) break;
    found = start;
    end = start;
  }
  return found;
};
