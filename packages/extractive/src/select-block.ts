import type { Candidate, Question, ScoredCandidate } from '@lectern/grounding';
import { extractTerms, readableText } from '@lectern/text';

/** A list or table that answers a question. */
export interface FoundBlock {
  /** The sentence that introduces it, if it directly precedes it. */
  readonly intro: Candidate | undefined;
  /** Its items in text order. */
  readonly items: readonly Candidate[];
  readonly ordered: boolean;
}

/** A list is quoted if its best item scores at least this share of the best unit. */
const CLOSE_TO_BEST = 0.85;
/** A sentence that introduces a list. */
export const LEAD_IN = /:$/;
const MIN_ITEMS = 2;
const MAX_ITEMS = 15;

/**
 * Returns the list or table that answers best, preferably one that is introduced by words of the
 * question, or undefined if prose answers better. `scored` is best first.
 */
export function selectBlock(scored: readonly ScoredCandidate[], { terms, language }: Question): FoundBlock | undefined {
  const best = scored[0];
  if (!best) return undefined;
  const [lead] = scored
    .filter(({ candidate, score }) => blockFor(candidate) !== undefined && score >= best.score * CLOSE_TO_BEST)
    .sort((a, b) => Number(isOfSubject(b.candidate)) - Number(isOfSubject(a.candidate)));
  const block = lead && blockFor(lead.candidate);
  if (!lead || !block) return undefined;
  const items = scored
    .map(({ candidate }) => candidate)
    .filter((candidate) => samePassage(candidate, lead.candidate) && candidate.unit.block === block.number)
    .sort((a, b) => a.documentStart - b.documentStart)
    .slice(0, MAX_ITEMS);
  if (items.length < MIN_ITEMS) return undefined;
  return { intro: block.intro, items, ordered: items[0]?.unit.ordered ?? false };

  /** Returns whether the header of the first column, or the lead-in, names something of the question. */
  function isOfSubject({ unit: { kind, text, columns, lead } }: Candidate): boolean {
    const [name = kind === 'sentence' ? text : lead] = columns;
    return extractTerms(readableText(name), language).some((term) => terms.some((asked) => asked.term === term));
  }

  /** Returns the list of an item, or the list that follows the best sentence or a lead-in. */
  function blockFor(candidate: Candidate): { number: number; intro: Candidate | undefined } | undefined {
    const { kind, block, text } = candidate.unit;
    if (kind === 'list_item' || kind === 'table_row') return { number: block, intro: introOf(candidate) };
    if (kind !== 'sentence' || (candidate !== scored[0]?.candidate && !LEAD_IN.test(text))) return undefined;
    const listFollows = scored.some(
      (other) =>
        samePassage(other.candidate, candidate) &&
        other.candidate.unit.block === block + 1 &&
        other.candidate.unit.kind === 'list_item',
    );
    return listFollows ? { number: block + 1, intro: candidate } : undefined;
  }

  function introOf(item: Candidate): Candidate | undefined {
    return scored.find(
      ({ candidate }) =>
        samePassage(candidate, item) &&
        candidate.unit.block === item.unit.block - 1 &&
        candidate.unit.text === item.unit.lead,
    )?.candidate;
  }
}

function samePassage(a: Candidate, b: Candidate): boolean {
  return a.source.id === b.source.id && a.passageIndex === b.passageIndex;
}
