import { smallTalkOf } from '@lectern/grounding';
import { headAndTail, sliceSpan, splitSentences } from '@lectern/text';
import { findArithmetic } from '#planner/find-arithmetic';
import { findTime } from '#planner/find-time';

/** The parts of a question. */
export interface QuestionParts {
  /** Expressions for the calculator. */
  readonly sums: readonly string[];
  /** Places whose time the question asks for; '' for no particular place. */
  readonly times: readonly string[];
  /** The rest, for documents or databases; '' if nothing remains. */
  readonly rest: string;
  /** True if the question mentions a database. */
  readonly namesDatabase: boolean;
  /** True if rows could answer it as well as documents: counts, totals, lists. */
  readonly maybeDatabase: boolean;
  readonly wantsSummary: boolean;
  /** Document ids in the question. */
  readonly documentIds: readonly string[];
}

const NAMES_DATABASE = /\b(?:database|datenbank|sql|tables?|tabellen?|rows?|columns?|schema)\b/i;
const MAYBE_DATABASE =
  /\b(?:how many|how much|number of|count|total|sum|average|mean|highest|lowest|largest|smallest|maximum|minimum|top \d+|latest|newest|most recent|list|show|per|revenue|wie ?viele?|anzahl|summe|durchschnitt\w*)\b/i;
const WANTS_SUMMARY = /\b(?:summari[sz]e|summary|sum up|zusammenfass\w*|fasse)\b/i;
const DOCUMENT_ID = /\bdoc_[0-7][0-9a-hjkmnp-tv-z]{25}\b/g;
/** Words that remain after a part of a question was removed. */
const LEFTOVER =
  /\b(?:calculate|compute|evaluate|work|out|result|berechne|rechne|and|also|then|please|what|what's|is|are|the|of|in|at|it|tell|me|can|could|you|give|how|much|right|now|today|exactly|by|way|und|bitte|auch)\b|[^\p{L}\p{N}]/giu;

/**
 * Splits a question (the start and end of a long one) into parts by clause, as far as the given
 * tools can answer them.
 */
export function readQuestion(question: string, tools: ReadonlySet<string>): QuestionParts {
  const sums: string[] = [];
  const times: string[] = [];
  const otherParts: string[] = [];
  for (const clause of clausesOf(headAndTail(question))) {
    let rest = clause;
    const time = tools.has('get_datetime') ? findTime(rest) : undefined;
    if (time !== undefined) {
      times.push(...(time.value.length > 0 ? time.value : ['']));
      rest = time.rest;
    }
    const sum = tools.has('calculate') ? findArithmetic(rest) : undefined;
    if (sum !== undefined) {
      sums.push(sum.value);
      rest = sum.rest;
    }
    if (rest === clause) otherParts.push(clause.trim());
    else if (rest.replaceAll(LEFTOVER, '').length > MIN_LEFT) otherParts.push(rest.trim());
  }
  const rest = otherParts.filter((part) => part !== '').join(' ');
  return {
    sums,
    times,
    rest: smallTalkOf(rest) === undefined ? rest : '',
    namesDatabase: NAMES_DATABASE.test(rest),
    maybeDatabase: MAYBE_DATABASE.test(rest),
    wantsSummary: WANTS_SUMMARY.test(rest),
    documentIds: [...new Set(rest.match(DOCUMENT_ID) ?? [])],
  };
}

/** Returns the sentences of a question, divided after `?`, `!` and `;` even without white space. */
function clausesOf(question: string): string[] {
  const whole = { start: 0, end: question.length };
  const sentences = Array.from(splitSentences(question, whole, 'message'), (span) => sliceSpan(question, span));
  return sentences.flatMap((sentence) => sentence.split(/(?<=[?!;])\s*/));
}

/** The minimum number of letters in content words for a remaining sentence to be searched. */
const MIN_LEFT = 8;
