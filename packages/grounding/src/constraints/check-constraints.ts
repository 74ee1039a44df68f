import type { Pausable } from '@lectern/resilience';
import { extractTerms, type Language, readableText } from '@lectern/text';
import { type Dates, hasYear, readDates } from '#constraints/dates';
import { type Constraint, type NameWord, type NumberConstraint, readConstraints } from '#constraints/read-constraints';
import type { Candidate } from '#evidence/candidates';
import type { Question } from '#evidence/question';

/** Checks units of the sources against the years, months, numbers and names of a question. */
export interface ConstraintCheck {
  /** What no source mentions. */
  readonly absent: readonly Constraint[];
  /**
   * Returns what an answer from this unit would lack: what no source mentions, and years, months
   * and numbers that neither the unit nor its context mentions. A unit about another year lacks the
   * year even if another sentence of the passage mentions it.
   */
  missingFrom(candidate: Candidate): readonly Constraint[];
}

const NOTHING: ConstraintCheck = { absent: [], missingFrom: () => [] };

/** Names whose words share this many letters at their start are forms of one name. */
const SHARED_PREFIX = 5;

const ABBREVIATION = /^\p{Lu}{2,6}$/u;

/** What a passage mentions, with its title and headings. */
interface Mentions {
  readonly dates: Dates;
  readonly terms: ReadonlySet<string>;
  readonly text: string;
}

/**
 * Creates the check for the candidates of a question. A claim to verify has no constraints: a source
 * with another number contradicts it.
 */
export function* createConstraintCheck(
  { text: question, language, isClaim }: Question,
  candidates: readonly Candidate[],
): Pausable<ConstraintCheck> {
  const constraints = isClaim ? [] : readConstraints(question, language);
  if (constraints.length === 0 || candidates.length === 0) return NOTHING;
  const passages = new Map<string, Mentions>();
  for (const { source, passageIndex } of candidates) {
    const key = passageKey(source.id, passageIndex);
    if (passages.has(key)) continue;
    const passage = source.passages[passageIndex];
    passages.set(key, mentionsOf(`${source.title}\n${passage?.heading ?? ''}\n${passage?.text ?? ''}`, language));
    yield;
  }
  const everywhere = [...passages.values()];
  const absent = constraints.filter((constraint) => !everywhere.some((passage) => isMentioned(constraint, passage)));
  const inPlace = constraints.filter(({ kind }) => kind !== 'name');
  return {
    absent,
    missingFrom: (candidate) => {
      const passage = passages.get(passageKey(candidate.source.id, candidate.passageIndex));
      if (passage === undefined || inPlace.length === 0) return absent;
      return [...new Set([...absent, ...missingInPlace(inPlace, candidate, passage, language)])];
    },
  };
}

const passageKey = (sourceId: string, passageIndex: number) => `${passageIndex} ${sourceId}`;

function mentionsOf(text: string, language: Language): Mentions {
  const plain = readableText(text);
  return { dates: readDates(text, language), terms: new Set(extractTerms(plain, language)), text: plain };
}

function missingInPlace(
  constraints: readonly Constraint[],
  { unit, source }: Candidate,
  passage: Mentions,
  language: Language,
): Constraint[] {
  const own = readDates([unit.text, unit.lead, ...unit.headings].join('\n'), language);
  const title = readDates(source.title, language);
  const missing: Constraint[] = [];
  for (const kind of ['year', 'month'] as const) {
    const asked = constraints.filter((constraint) => constraint.kind === kind);
    const mentions = (dates: Dates) => asked.some((constraint) => hasDate(dates, constraint));
    if (asked.length === 0 || mentions(own) || mentions(title)) continue;
    // Only what is surely another year: "1500 euros" is none.
    const namesAnother = kind === 'year' ? own.years.size > 0 : own.months.size > 0;
    if (namesAnother || !asked.some((constraint) => isMentioned(constraint, passage))) missing.push(...asked);
  }
  const numbers = constraints.filter(({ kind }) => kind === 'number');
  return [...missing, ...numbers.filter((constraint) => !isMentioned(constraint, passage))];
}

function hasDate(dates: Dates, constraint: Constraint): boolean {
  if (constraint.kind === 'year') return hasYear(dates, constraint.value);
  return constraint.kind === 'month' && dates.possibleMonths.has(constraint.value);
}

function isMentioned(constraint: Constraint, { dates, terms, text }: Mentions): boolean {
  if (constraint.kind === 'number') return isNumberMentioned(constraint, dates, terms);
  if (constraint.kind === 'month' && constraint.terms.some((term) => terms.has(term))) return true;
  if (constraint.kind !== 'name') return hasDate(dates, constraint);
  const found = constraint.words.filter((word) => isWordMentioned(word, terms, text));
  return found.length >= constraint.words.length / 2;
}

function isNumberMentioned(
  { number, unit, joined }: NumberConstraint,
  dates: Dates,
  terms: ReadonlySet<string>,
): boolean {
  if (joined.some((term) => terms.has(term))) return true;
  // A table has the unit in its header.
  if (unit.length > 0) return terms.has(number) && unit.some((term) => terms.has(term));
  return terms.has(number) || hasYear(dates, Number(number));
}

function isWordMentioned({ text: word, terms }: NameWord, found: ReadonlySet<string>, text: string): boolean {
  const isFound = (term: string) => found.has(term) || hasForm(term, found);
  const joined = terms.at(-1);
  if (joined !== undefined && isFound(joined)) return true;
  const known = terms.filter(isFound);
  return known.length > terms.length / 2 || (ABBREVIATION.test(word) && initialsOf(word).test(text));
}

function hasForm(term: string, found: ReadonlySet<string>): boolean {
  if (term.length < SHARED_PREFIX) return false;
  const start = term.slice(0, Math.max(SHARED_PREFIX, term.length - 2));
  for (const other of found)
    if (other.startsWith(start) || (other.length >= SHARED_PREFIX && term.startsWith(other))) return true;
  return false;
}

/** Matches words with these initials: `paid time off` for PTO. */
function initialsOf(abbreviation: string): RegExp {
  const words = [...abbreviation].map((letter) => String.raw`${letter}\p{L}+`);
  return new RegExp(String.raw`(?<!\p{L})${words.join(String.raw`[\s-]+(?:(?:of|and|the|for)\s+)?`)}`, 'iu');
}
