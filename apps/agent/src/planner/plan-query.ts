import type { ShownTable } from '#planner/read-schema';
import { stemOf, stemsOfName, wordsOf } from '#planner/words';

/** A query of one database. */
export interface PlannedQuery {
  readonly sql: string;
  readonly database: string;
}

const MAX_ROWS = 20;
const NUMERIC = /^(?:smallint|integer|bigint|numeric|decimal|real|double precision|money)/;
const TEXT = /^(?:text|character|varchar|citext|name|USER-DEFINED)/i;
const MOMENT = /^(?:date|timestamp)/;

/** Words for aggregates, more specific ones first. */
const AGGREGATES: readonly (readonly [RegExp, string])[] = [
  [/\b(?:average|mean|avg|durchschnitt\w*)\b/i, 'avg'],
  [/\b(?:highest|largest|biggest|maximum|max|most expensive|höchste\w*|größte\w*)\b/i, 'max'],
  [/\b(?:lowest|smallest|minimum|min|cheapest|niedrigste\w*|kleinste\w*)\b/i, 'min'],
  [/\b(?:sum|total|revenue|turnover|altogether|summe|insgesamt|gesamt\w*|how much)\b/i, 'sum'],
];
const COUNT = /\b(?:how many|number of|count|wie ?viele|anzahl)\b/i;
const PER = /\b(?:per|by|for each|in each|grouped by|pro|je)\s+([\p{L}_]+)/iu;
const LATEST = /\b(?:latest|newest|most recent|last|neueste\w*|letzte\w*)\b/i;
const TOP = /\b(?:top|first|latest|last)\s+(\d{1,3})\b/i;

/** Words that do not name tables, columns or values. */
const COMMON = new Set(
  'a all an and any are as at be between by can count database databases did do does each find first for from get give had has have how in is it its last latest list many me most much my number of on or our out per please query row rows record records select show sql sum table tables tell that the their them there these this those to top total us was we were what when where which who whose with average mean highest lowest largest smallest maximum minimum avg max min i you wie viele zeige alle der die das und in von'.split(
    ' ',
  ),
);

/**
 * Returns the most likely query for a question, on the table that it names; undefined if it names
 * none. Names come from the schema and are quoted; values from the question are literals. The
 * connector service validates the query like any other.
 */
export function planQuery(question: string, tables: readonly ShownTable[]): PlannedQuery | undefined {
  const stems = new Set(wordsOf(question).map(stemOf));
  const ranked = tables
    .map((table) => ({ table, score: scoreOf(table, stems) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score);
  const table = ranked[0]?.table;
  return table === undefined ? undefined : { sql: writeSql(question, table, stems), database: table.database };
}

const isNamed = (name: string, stems: ReadonlySet<string>): boolean =>
  stemsOfName(name).every((stem) => stems.has(stem));

/**
 * Scores a table that the question names: the length of its name and the number of its columns
 * named.
 */
function scoreOf({ name, columns }: ShownTable, stems: ReadonlySet<string>): number {
  if (!isNamed(name, stems)) return 0;
  return stemsOfName(name).length * 10 + columns.filter((column) => isNamed(column.name, stems)).length;
}

function writeSql(question: string, table: ShownTable, stems: ReadonlySet<string>): string {
  const where = conditionOf(question, table);
  const from = `FROM ${quoted(table.name)}${where === undefined ? '' : ` WHERE ${where}`}`;
  const aggregate = aggregateOf(question, table, stems);
  const group = columnNamed(table, PER.exec(question)?.[1]);
  if (group !== undefined) {
    const column = quoted(group);
    return `SELECT ${column}, ${aggregate ?? 'count(*) AS count'} ${from} GROUP BY ${column} ORDER BY 2 DESC LIMIT ${MAX_ROWS}`;
  }
  if (aggregate !== undefined) return `SELECT ${aggregate} ${from}`;
  const moment = LATEST.test(question) ? table.columns.find(({ type }) => MOMENT.test(type)) : undefined;
  const order = moment === undefined ? '' : ` ORDER BY ${quoted(moment.name)} DESC`;
  const rows = Math.min(MAX_ROWS, Number(TOP.exec(question)?.[1] ?? MAX_ROWS));
  return `SELECT * ${from}${order} LIMIT ${rows}`;
}

/**
 * Returns the aggregate that the question asks for: a count, or an aggregate of a numeric column.
 */
function aggregateOf(question: string, table: ShownTable, stems: ReadonlySet<string>): string | undefined {
  const numbers = table.columns.filter(({ name, type }) => NUMERIC.test(type) && !/(?:^|_)id$/i.test(name));
  const column = numbers.find(({ name }) => isNamed(name, stems)) ?? numbers[0];
  const aggregate = AGGREGATES.find(([asks]) => asks.test(question))?.[1];
  const isNamedColumn = column !== undefined && isNamed(column.name, stems);
  if (COUNT.test(question) && !(aggregate !== undefined && isNamedColumn)) return 'count(*) AS count';
  if (aggregate === undefined || column === undefined || TOP.test(question)) return undefined;
  return `${aggregate}(${quoted(column.name)}) AS ${quoted(`${aggregate}_${column.name}`)}`;
}

const columnNamed = ({ columns }: ShownTable, word: string | undefined): string | undefined => {
  if (word === undefined) return undefined;
  const stem = stemOf(word);
  return columns.find(
    ({ name }) => stemsOfName(name).join('_') === stemsOfName(word).join('_') || stemsOfName(name)[0] === stem,
  )?.name;
};

const IN_QUOTES = /"([^"]{1,100})"|[“„]([^“”]{1,100})[“”]|(?<!\w)'([^']{1,100})'(?!\w)/;

/**
 * Returns the condition for a value in the question: a quoted text, or a word that is neither
 * common nor a name.
 */
function conditionOf(question: string, table: ShownTable): string | undefined {
  const texts = table.columns.filter(({ type }) => TEXT.test(type)).map(({ name }) => name);
  if (texts.length === 0) return undefined;
  const known = new Set([table.name, ...table.columns.map(({ name }) => name)].flatMap(stemsOfName));
  const inQuotes = IN_QUOTES.exec(question)?.slice(1).find(Boolean);
  const value = inQuotes ?? singleValue(question, texts, known);
  if (value === undefined) return undefined;
  return `lower(${literal(value)}) IN (${texts.map((name) => `lower(${quoted(name)}::text)`).join(', ')})`;
}

/** Finds "status paid", "status is paid", or a proper name like Berlin. */
function singleValue(question: string, columns: readonly string[], known: ReadonlySet<string>): string | undefined {
  const words = question.match(/[\p{L}\p{N}_-]+/gu) ?? [];
  const isValue = (word: string) => !COMMON.has(word.toLowerCase()) && !known.has(stemOf(word));
  for (const [at, word] of words.entries()) {
    if (!columns.some((name) => stemsOfName(name).join() === stemOf(word))) continue;
    const [next, afterNext] = [words[at + 1], words[at + 2]];
    const value = next !== undefined && /^(?:is|of|equals|are|=)$/i.test(next) ? afterNext : next;
    if (value !== undefined && isValue(value)) return value;
  }
  return words.slice(1).find((word) => /^\p{Lu}\p{Ll}/u.test(word) && isValue(word));
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;
