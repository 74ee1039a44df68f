import { detectLanguage, passageUnits, visitTerms } from '@lectern/text';
import type { FitDocument, FitQuestion } from './beir.ts';
import { foldOf } from './halves.ts';

/** Forms of a question about a subject, as people type them. */
const ABOUT_A_HEADING = [
  (subject: string) => `How does ${subject} work?`,
  (subject: string) => `how do I set up ${subject}`,
  (subject: string) => `What is ${subject}?`,
  (subject: string) => `How do I use ${subject}?`,
  (subject: string) => `where can I find out about ${subject}`,
  (subject: string) => `What should I know about ${subject}?`,
  (subject: string) => subject,
];
const ABOUT_WORDS = [
  (words: string) => `How do I ${words}?`,
  (words: string) => `What ${words}?`,
  (words: string) => `what is the ${words}`,
  (words: string) => `When ${words}?`,
  (words: string) => `Can I ${words}?`,
  (words: string) => `which ${words}`,
  (words: string) => words,
];
/** Questions in other words than the text: some of its words, and one that it does not contain. */
const IN_OTHER_WORDS = [
  (words: string) => `can I ${words}`,
  (words: string) => `who ${words}`,
  (words: string) => `my ${words}`,
  (words: string) => `do I have to ${words}`,
  (words: string) => `what happens if ${words}`,
  (words: string) => `where do I ${words}?`,
  (words: string) => `how long ${words}`,
  (words: string) => `is there ${words}`,
];
const ABOUT_A_CELL = [
  (column: string, row: string) => `What is the ${column} of ${row}?`,
  (column: string, row: string) => `what is the default ${column} for ${row}`,
  (column: string, row: string) => `${row} ${column}`,
];
/** How many units of a section become questions. */
const UNITS_PER_SECTION = 2;
const MIN_TERMS = 6;
const MAX_WORDS = 5;
const MIN_WORDS = 2;
/** How many units of a section become questions in other words. */
const REWORDED_PER_SECTION = 2;

/** A content word of a text, as written. */
interface Word {
  readonly text: string;
  readonly term: string;
}

/**
 * Makes questions from sections of documents: from their headings, from some of the words of a
 * sentence or an item, with and without a word that it lacks, and from the row and column of a table.
 * All sections of the file are the answer.
 */
export function generateQuestions(sections: readonly FitDocument[]): FitQuestion[] {
  const files = Map.groupBy(sections, ({ file }) => file);
  return sections.flatMap((section, index) => {
    const language = detectLanguage(section.text);
    const gold = new Set((files.get(section.file) ?? []).map(({ id }) => id));
    const questions: string[] = [];
    const last = plain(section.heading?.split(' > ').at(-1) ?? '');
    if (contentWords(last, language).length >= MIN_WORDS) {
      questions.push(pick(ABOUT_A_HEADING, section.id)(last.charAt(0).toLowerCase() + last.slice(1)));
    }
    const units = passageUnits(section.text, section.heading ?? '');
    const rows = units.filter(({ kind, columns }) => kind === 'table_row' && columns.length > 1);
    const row = rows[foldOf(section.id) % Math.max(1, rows.length)];
    if (row) {
      const cells = row.text
        .replace(/^\||\|$/g, '')
        .split('|')
        .map(plain);
      const column = 1 + (foldOf(row.text) % (row.columns.length - 1));
      const [label, header] = [cells[0], plain(row.columns[column] ?? '')];
      if (label && header) questions.push(pick(ABOUT_A_CELL, row.text)(header, label));
    }
    const prose = units
      .filter(({ kind }) => kind === 'sentence' || kind === 'list_item')
      .map(({ text }) => ({ text, words: contentWords(plain(text), language) }))
      .filter(({ words }) => words.length >= MIN_TERMS)
      .sort((a, b) => foldOf(a.text) - foldOf(b.text));
    for (const { text, words } of prose.slice(0, UNITS_PER_SECTION)) {
      questions.push(pick(ABOUT_WORDS, text)(someWords(words, text)));
    }
    const elsewhere = sections[(index * 7 + 3) % sections.length] ?? section;
    const foreign = contentWords(plain(elsewhere.text), language);
    for (const { text, words } of prose.slice(-REWORDED_PER_SECTION)) {
      questions.push(pick(IN_OTHER_WORDS, text)(reworded(words, foreign, text)));
    }
    return questions.map((text, at) => ({ id: `${section.id}-${at}`, text, gold }));
  });
}

/**
 * Changes the subject of a question: its most important word becomes one of another question, so
 * that the same documents do not answer it. Undefined if the question has too few words.
 */
export function alterQuestion({ id, text }: FitQuestion, others: readonly FitQuestion[]): string | undefined {
  const language = detectLanguage(text);
  const words = contentWords(text, language);
  const other = others[foldOf(id) % others.length];
  if (other === undefined || words.length < MIN_WORDS) return undefined;
  const known = new Set(words.map(({ term }) => term));
  const candidates = contentWords(other.text, detectLanguage(other.text)).filter(({ term }) => !known.has(term));
  const [from] = words.toSorted((a, b) => weightOf(b) - weightOf(a)).slice(foldOf(text) % 2);
  const [to] = candidates.toSorted((a, b) => weightOf(b) - weightOf(a)).slice(foldOf(id) % 2);
  return from && to ? text.replace(from.text, to.text) : undefined;
}

/** Names and long words are usually the subject. */
const weightOf = ({ text }: Word): number => text.length + (/\p{Lu}|\p{N}/u.test(text) ? 4 : 0);

function contentWords(text: string, language: Parameters<typeof visitTerms>[1]): Word[] {
  const words: (Word & { readonly start: number })[] = [];
  visitTerms(text, language, (term, start, end) => {
    if (words.at(-1)?.start !== start) words.push({ text: text.slice(start, end), term, start });
  });
  return words;
}

/** Picks a few words, one of which is replaced by a word of another text, as if by a synonym. */
function reworded(words: readonly Word[], foreign: readonly Word[], seed: string): string {
  const chosen = someWords(words, seed)
    .split(' ')
    .slice(0, MAX_WORDS - 1);
  const known = new Set(words.map(({ term }) => term));
  const others = foreign.filter(({ term, text }) => !known.has(term) && !/\p{Lu}|\p{N}/u.test(text));
  const other = others[foldOf(seed) % Math.max(1, others.length)];
  if (other === undefined) return chosen.join(' ');
  return chosen.toSpliced(foldOf(`${seed}!`) % chosen.length, 1, other.text).join(' ');
}

/** Picks a run of words with gaps, in their order. */
function someWords(words: readonly Word[], seed: string): string {
  const length = MIN_WORDS + (foldOf(`${seed}?`) % (MAX_WORDS - MIN_WORDS + 1));
  const ranked = words.toSorted((a, b) => foldOf(a.term + seed) - foldOf(b.term + seed)).slice(0, length);
  const chosen = new Set(ranked);
  return words
    .filter((word) => chosen.has(word))
    .map(({ text }) => text)
    .join(' ');
}

function pick<T>(all: readonly [T, ...T[]] | readonly T[], seed: string): T {
  const chosen = all[foldOf(seed) % all.length];
  if (chosen === undefined) throw new TypeError('There is nothing to pick from.');
  return chosen;
}

/** Removes Markdown from a heading, a cell or a sentence. */
function plain(text: string): string {
  return text
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*_#|]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}
