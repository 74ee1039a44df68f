import { runToEnd } from '@lectern/resilience';
import type { SourceDocument } from '#citations/source-document';
import { listCandidates } from '#evidence/candidates';
import { readQuestion } from '#evidence/question';
import { questionLanguage } from '#evidence/question-language';
import { scoreCandidates } from '#evidence/score-candidates';
import { createFeatureReader, type SupportFeatures } from '#evidence/support-features';
import type { FitCorpus, FitDocument, FitQuestion } from './beir.ts';
import { halfOf } from './halves.ts';
import type { Rank } from './rank-documents.ts';

/** The number of documents per question, the same as chat retrieves for a fact. */
const DOCUMENTS = 6;

/**
 * The documents for a question: all, the closest that do not answer, or the half without those that
 * answer.
 */
export type DocumentSet = 'all' | 'without' | 'half';

/** The best unit of a document, for a question. */
export interface UnitRow {
  /** Identifies the question and the choice of documents. */
  readonly questionKey: string;
  readonly documentSet: DocumentSet;
  /** Rows of a fold are either all fitted on or all held out. */
  readonly fold: string;
  readonly features: SupportFeatures;
  /** Whether its document answers. */
  readonly answers: boolean;
}

/** Returns the rows of a question: the best unit of each retrieved document. */
export function readRows(corpus: FitCorpus, rank: Rank, question: FitQuestion, fold: string): UnitRow[] {
  const { id, text, gold } = question;
  const halves = new Set([...gold].map(halfOf));
  const [half] = halves;
  const choices: [DocumentSet, (document: string) => boolean][] = [
    ['all', () => true],
    ['without', (document) => !gold.has(document)],
  ];
  if (halves.size === 1) choices.push(['half', (document) => halfOf(document) !== half]);
  return choices.flatMap(([documentSet, keep]) => {
    const sources = rank(text, DOCUMENTS, keep).map(toSource);
    const parsed = readQuestion(text, questionLanguage(text, sources));
    const scored = runToEnd(scoreCandidates(parsed, runToEnd(listCandidates(sources, parsed.language))));
    const readFeatures = runToEnd(createFeatureReader(parsed, scored));
    const best = sources.flatMap((source) => scored.find(({ candidate }) => candidate.source.id === source.id) ?? []);
    return best.map((entry) => ({
      questionKey: `${corpus.name} ${id} ${documentSet}`,
      documentSet,
      fold,
      features: readFeatures(entry),
      answers: gold.has(entry.candidate.source.id),
    }));
  });
}

/** Converts a document to a source for chat. */
export const toSource = ({ id, title, text }: FitDocument): SourceDocument => ({
  id,
  title,
  passages: [{ text, start: 0, end: text.length }],
});
