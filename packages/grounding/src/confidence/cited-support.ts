import type { CitationEvent } from '#citations/reply-event';
import { lacksContent, lacksDetail, lacksQuantity, lacksSubject, negates } from '#confidence/doubts';
import type { ScoredCandidate } from '#evidence/score-candidates';
import { readEvidence } from '#judge/read-evidence';
import { LEAD_IN } from '#quality/claims';
import type { ReviewedReply } from '#quality/quality-rule';
import { isCautious } from '#quality/refusal';

/** How well sources support an answer to the question: probabilities between 0 and 1. */
export interface SourceSupport {
  /** The support by the best cited unit, or by the lead-in of a cited list. */
  readonly cited: number;
  /** The support by the best unit in each document retrieved, by document id. */
  readonly byDocument: ReadonlyMap<string, number>;
  readonly citedDocuments: ReadonlySet<string>;
}

/**
 * The maximum number of cited units that are judged, best first. A list or a summary quotes many.
 */
const MAX_JUDGED = 12;
/** The number of quoted items that make a list. */
const MIN_ITEMS = 2;

/** The highest support by units that are not quoted or may state something else, which is never `high`. */
const MAX_DOUBTFUL = 0.6;
/** The highest support by units that lack half of a question, in a reply that calls itself a possible answer: `low`. */
const MAX_POSSIBLE = 0.44;

/** Judges the retrieved passages, and among them the cited ones, against the question. */
export async function supportBySource(reviewed: ReviewedReply): Promise<SourceSupport> {
  const { question, reply, citations, sources, shape } = reviewed;
  const { question: asked, scored, judge, byDocument } = await readEvidence(question, sources);
  const quoted = scored.filter((entry) => citations.some((citation) => covers(citation, entry)));
  const leads = leadIns(quoted, scored);
  const judged = scored.filter((entry) => quoted.includes(entry) || leads.has(entry)).slice(0, MAX_JUDGED);
  const isDoubtful = (entry: ScoredCandidate): boolean =>
    leads.has(entry) || lacksDetail(asked, entry) || lacksContent(asked, entry, shape);
  const cautious = isCautious(reply);
  const highest = (entry: ScoredCandidate): number =>
    cautious && lacksSubject(asked, entry, shape) ? MAX_POSSIBLE : isDoubtful(entry) ? MAX_DOUBTFUL : 1;
  const support = Math.max(0, ...judged.map((entry) => Math.min(judge(entry), highest(entry))));
  const isUncertain =
    judged.some((entry) => negates(asked, entry)) || judged.every((entry) => lacksQuantity(asked, entry));
  const cited = isUncertain ? Math.min(MAX_DOUBTFUL, support) : support;
  return { cited, byDocument, citedDocuments: new Set(citations.map(({ sourceId }) => sourceId)) };
}

const sectionKey = ({ candidate: { source, passageIndex, unit } }: ScoredCandidate): string =>
  JSON.stringify([source.id, passageIndex, unit.headings]);

/**
 * Returns the units that introduce lists of which several items or rows are quoted, and are not
 * quoted themselves: such a list answers together with its lead-in.
 */
function leadIns(quoted: readonly ScoredCandidate[], scored: readonly ScoredCandidate[]): ReadonlySet<ScoredCandidate> {
  const items = quoted.filter(({ candidate: { unit } }) => unit.kind === 'list_item' || unit.kind === 'table_row');
  const sections = Map.groupBy(items, sectionKey);
  const introduces = (entry: ScoredCandidate): boolean => {
    const { text } = entry.candidate.unit;
    const quotedItems = sections.get(sectionKey(entry)) ?? [];
    return (
      LEAD_IN.test(text) &&
      quotedItems.filter(({ candidate }) => candidate.unit.lead.includes(text)).length >= MIN_ITEMS
    );
  };
  return new Set(scored.filter((entry) => !quoted.includes(entry) && introduces(entry)));
}

/** Returns whether a citation quotes a unit or a part of it. */
function covers({ sourceId, passageIndex, quote }: CitationEvent, { candidate }: ScoredCandidate): boolean {
  if (candidate.source.id !== sourceId || candidate.passageIndex !== passageIndex) return false;
  return quote.includes(candidate.unit.text) || candidate.unit.text.includes(quote);
}
