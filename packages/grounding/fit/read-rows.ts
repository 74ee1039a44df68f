import type { SourceDocument } from '#citations/source-document';
import { listCandidates } from '#evidence/candidates';
import { runToEnd } from '#evidence/pausable';
import { readQuestion } from '#evidence/question';
import { questionLanguage } from '#evidence/question-language';
import { scoreCandidates } from '#evidence/score-candidates';
import { createSignReader, type SupportSigns } from '#evidence/support-signs';
import type { FitCorpus, FitDocument, FitQuestion } from './beir.ts';
import { halfOf } from './halves.ts';
import type { Rank } from './rank-documents.ts';

/** Documents that a question is answered from, as chat retrieves for a fact. */
const DOCUMENTS = 6;

/** What a question is asked of: all documents, the closest once those that answer are taken out, or the half of them without these. */
export type Among = 'all' | 'without' | 'half';

/** The best unit of a document, for a question. */
export interface UnitRow {
  /** Names the question and what it was asked of. */
  readonly asked: string;
  readonly among: Among;
  /** Questions of one fold are fitted on together or not at all. */
  readonly fold: string;
  readonly signs: SupportSigns;
  /** Its document answers. */
  readonly answers: boolean;
}

/** The rows of a question: the best unit of each document that is found for it. */
export function readRows(corpus: FitCorpus, rank: Rank, question: FitQuestion, fold: string): UnitRow[] {
  const { id, text, gold } = question;
  const halves = new Set([...gold].map(halfOf));
  const [half] = halves;
  const choices: [Among, (document: string) => boolean][] = [
    ['all', () => true],
    ['without', (document) => !gold.has(document)],
  ];
  if (halves.size === 1) choices.push(['half', (document) => halfOf(document) !== half]);
  return choices.flatMap(([among, keep]) => {
    const sources = rank(text, DOCUMENTS, keep).map(toSource);
    const asked = readQuestion(text, questionLanguage(text, sources));
    const scored = runToEnd(scoreCandidates(asked, runToEnd(listCandidates(sources, asked.language))));
    const readSigns = runToEnd(createSignReader(asked, scored));
    const best = sources.flatMap((source) => scored.find(({ candidate }) => candidate.source.id === source.id) ?? []);
    return best.map((entry) => ({
      asked: `${corpus.name} ${id} ${among}`,
      among,
      fold,
      signs: readSigns(entry),
      answers: gold.has(entry.candidate.source.id),
    }));
  });
}

/** A document as chat is given it. */
export const toSource = ({ id, title, text }: FitDocument): SourceDocument => ({
  id,
  title,
  passages: [{ text, start: 0, end: text.length }],
});
