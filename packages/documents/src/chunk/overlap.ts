import { estimateTokens, splitSentences } from '@lectern/text';
import type { Unit } from '#chunk/split-block';

/**
 * The maximum number of UTF-16 units per token; limits how far back to look for the beginning of a
 * sentence.
 */
const charsPerToken = 8;

/**
 * Returns the start of the next chunk if it repeats the last sentences of `taken`: the earliest
 * sentence that leaves at most `budget` tokens. Undefined if the chunk ends with a heading, table
 * or code block, or no sentence is short enough. Neither part of a sentence nor the whole chunk is
 * ever repeated.
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
  let remainingTokens = budget;
  let end = last.end;
  for (const start of starts.reverse()) {
    remainingTokens -= estimateTokens(text, start, end);
    if (remainingTokens < 0) break;
    found = start;
    end = start;
  }
  return found;
};
