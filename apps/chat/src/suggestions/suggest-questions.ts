import { phrasesIn } from '@lectern/grounding';
import { detectLanguage, splitHeadings } from '@lectern/text';

/** A document that the reader may read. */
export interface ListedDocument {
  readonly title: string;
  readonly passages: readonly { readonly text: string; readonly heading: string }[];
}

/** Longer headings and titles do not fit on a button. */
const MAX_LENGTH = 100;
const QUESTION = /[?？؟;]$/;

/**
 * Returns questions that the documents answer, in the language of each document: a heading that is a
 * question, otherwise a question about the document. Documents with such a heading come first.
 */
export function suggestQuestions(documents: readonly ListedDocument[]): readonly string[] {
  const answered = documents.flatMap(({ passages }) => passages.map(lastHeading).find(isQuestion) ?? []);
  const others = documents.filter(({ title }) => title !== '' && title.length <= MAX_LENGTH);
  return [...new Set([...answered, ...others.map(aboutDocument)])];
}

const lastHeading = ({ heading }: { readonly heading: string }): string => splitHeadings(heading).at(-1)?.trim() ?? '';

const isQuestion = (text: string): boolean => text.length <= MAX_LENGTH && QUESTION.test(text);

function aboutDocument({ title, passages }: ListedDocument): string {
  return phrasesIn(detectLanguage(`${title}\n${passages[0]?.text ?? ''}`)).mainPoints(title);
}
