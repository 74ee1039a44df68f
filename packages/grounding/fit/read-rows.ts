import { runToEnd } from '@lectern/resilience';
import type { SourceDocument } from '#citations/source-document';
import { createConstraintCheck } from '#constraints/check-constraints';
import { listCandidates } from '#evidence/candidates';
import { readQuestion } from '#evidence/question';
import { questionLanguage } from '#evidence/question-language';
import { scoreCandidates } from '#evidence/score-candidates';
import { createFeatureReader, type SupportFeatures } from '#evidence/support-features';
import type { FitCorpus, FitDocument, FitQuestion } from './beir.ts';
import { halfOf } from './halves.ts';
import type { Rank, RankedDocument } from './rank-documents.ts';

/** The number of documents per question, the same as chat retrieves for a fact. */
const DOCUMENTS = 6;
/** The maximum number of passages of a file that has several. */
const PASSAGES = 4;
/** The number of ranked passages to group by file. */
const RANKED = 24;

/**
 * The documents for a question: all, the closest that do not answer, the half without those that
 * answer, or all for a question whose subject was changed.
 */
export type DocumentSet = 'all' | 'without' | 'half' | 'altered';

/** The best unit of a document, for a question. */
export interface UnitRow {
  /** Identifies the question and the choice of documents. */
  readonly questionKey: string;
  readonly corpus: string;
  readonly documentSet: DocumentSet;
  /** Rows of a fold are either all fitted on or all held out. */
  readonly fold: string;
  readonly features: SupportFeatures;
  /** Whether its document answers. */
  readonly answers: boolean;
  /** Whether it lacks a year, number or name of the question. */
  readonly isIncomplete: boolean;
}

/**
 * Returns the rows of a question: the best unit of each retrieved document. `altered` is the
 * question with another subject.
 */
export function readRows(
  corpus: FitCorpus,
  rank: Rank,
  question: FitQuestion,
  fold: string,
  altered?: string,
): UnitRow[] {
  const { id, text, gold } = question;
  const halves = new Set([...gold].map(halfOf));
  const [half] = halves;
  const choices: [DocumentSet, string, (document: string) => boolean][] = [
    ['all', text, () => true],
    ['without', text, (document) => !gold.has(document)],
  ];
  if (halves.size === 1) choices.push(['half', text, (document) => halfOf(document) !== half]);
  if (altered !== undefined) choices.push(['altered', altered, () => true]);
  return choices.flatMap(([documentSet, asked, keep]) => {
    const sources = groupByFile(rank(asked, RANKED, keep));
    const parsed = readQuestion(
      asked,
      questionLanguage(
        asked,
        sources.map(({ source }) => source),
      ),
    );
    const candidates = runToEnd(
      listCandidates(
        sources.map(({ source }) => source),
        parsed.language,
      ),
    );
    const scored = runToEnd(scoreCandidates(parsed, candidates));
    const readFeatures = runToEnd(createFeatureReader(parsed, scored));
    const { missingFrom } = runToEnd(createConstraintCheck(parsed, candidates));
    return sources.flatMap(({ source, documents }) => {
      const best = scored.find(({ candidate }) => candidate.source.id === source.id);
      if (best === undefined) return [];
      const cited = documents[best.candidate.passageIndex];
      return {
        questionKey: `${corpus.name} ${id} ${documentSet}`,
        corpus: corpus.name,
        documentSet,
        fold,
        features: readFeatures(best),
        answers: documentSet !== 'altered' && cited !== undefined && gold.has(cited.id),
        isIncomplete: missingFrom(best.candidate).length > 0,
      };
    });
  });
}

interface FileSource {
  readonly source: SourceDocument;
  /** The document of each passage. */
  readonly documents: readonly FitDocument[];
}

/** Groups ranked passages of one file to a source. */
function groupByFile(ranked: readonly RankedDocument[]): FileSource[] {
  const files = [...Map.groupBy(ranked, ({ id, file = id }) => file)].slice(0, DOCUMENTS);
  return files.map(([file, all]) => {
    const documents = all.slice(0, PASSAGES);
    const passages = documents.flatMap((document) => toSource(document).passages);
    const relevance = Math.max(...all.map((document) => document.relevance));
    return { documents, source: { id: file, title: all[0]?.title ?? '', relevance, passages } };
  });
}

/** Converts a document to a source for chat. */
export const toSource = ({ id, title, text, heading, relevance }: RankedDocument): SourceDocument => ({
  id,
  title,
  relevance,
  passages: [{ text, start: 0, end: text.length, ...(heading === undefined ? {} : { heading }) }],
});
