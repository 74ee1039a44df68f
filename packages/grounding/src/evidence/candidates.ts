import type { Pausable } from '@lectern/resilience';
import {
  extractTerms,
  type Language,
  passageUnits,
  readableText,
  sliceSpan,
  splitSentences,
  type TextUnit,
} from '@lectern/text';
import type { SourceDocument } from '#citations/source-document';

/** A unit of a passage that a reply can quote. */
export interface Candidate {
  readonly unit: TextUnit;
  readonly source: SourceDocument;
  readonly passageIndex: number;
  /** 0 for the best passage among all sources. */
  readonly passageRank: number;
  /** The score of its passage in retrieval, as a share of the best one. */
  readonly retrieval: number;
  /** The unit's offset in its document. */
  readonly documentStart: number;
  readonly terms: readonly string[];
  /** The terms of each sentence: a list item or a cell can hold several. */
  readonly sentences: readonly (readonly string[])[];
  /** Neighbors in the same block of the text. */
  readonly previous: Candidate | undefined;
  next: Candidate | undefined;
}

/**
 * Returns all units of the sources, with their terms in the language of the question. Text that
 * passages share is included once, from the better passage.
 */
export function* listCandidates(sources: readonly SourceDocument[], language: Language): Pausable<Candidate[]> {
  const candidates: Candidate[] = [];
  for (const { source, passageIndex, passageRank, retrieval } of rankedPassages(sources)) {
    const passage = source.passages[passageIndex];
    if (!passage) continue;
    let previous: Candidate | undefined;
    for (const unit of passageUnits(passage.text, passage.heading)) {
      const documentStart = passage.start + unit.start;
      const sentences = sentencesOf(unit, language);
      const before = previous?.unit.block === unit.block ? previous : undefined;
      const candidate: Candidate = {
        unit,
        source,
        passageIndex,
        passageRank,
        retrieval,
        documentStart,
        terms: sentences.flat(),
        sentences,
        previous: before,
        next: undefined,
      };
      if (before) before.next = candidate;
      previous = candidate;
      candidates.push(candidate);
      yield;
    }
  }
  return withoutRepeats(candidates);
}

function sentencesOf({ kind, text }: TextUnit, language: Language): string[][] {
  const whole = readableText(text);
  if (kind !== 'list_item' && kind !== 'table_cell') return [extractTerms(whole, language)];
  return Array.from(splitSentences(whole), (span) => extractTerms(sliceSpan(whole, span), language));
}

interface RankedPassage {
  readonly source: SourceDocument;
  readonly passageIndex: number;
  readonly passageRank: number;
  readonly retrieval: number;
}

/**
 * Sorts passages by score if all have one, otherwise the best of each source first, then the second
 * of each.
 */
function rankedPassages(sources: readonly SourceDocument[]): RankedPassage[] {
  const all = sources.flatMap((source, sourceRank) =>
    source.passages.map((passage, passageIndex) => ({ source, passageIndex, sourceRank, score: passage.score })),
  );
  const scored = all.every(({ score }) => score !== undefined);
  all.sort((a, b) =>
    scored ? (b.score ?? 0) - (a.score ?? 0) : a.passageIndex - b.passageIndex || a.sourceRank - b.sourceRank,
  );
  const best = all[0]?.score ?? 0;
  return all.map(({ source, passageIndex, score = 0 }, passageRank) => {
    const retrieval = scored && best > 0 ? Math.max(0, score / best) : 1 / (1 + passageRank);
    return { source, passageIndex, passageRank, retrieval };
  });
}

function withoutRepeats(candidates: readonly Candidate[]): Candidate[] {
  const seen = new Set<string>();
  return candidates.filter(({ unit }) => {
    const key = unit.text.replace(/\s+/g, ' ').toLowerCase();
    if (seen.has(key) || key.length === 0) return false;
    seen.add(key);
    return true;
  });
}
