// The syntax of commands and responses.
// https://www.rfc-editor.org/rfc/rfc9051#section-9

/** An argument of a command: an atom or string, or a list. */
export type Argument = string | readonly Argument[];

export class ImapSyntaxError extends Error {}

const SPECIAL = /[()"\\\s{]/;

/** Splits the arguments of a command. Atoms of FETCH can contain `[…]` with spaces. */
export function parseArguments(text: string): readonly Argument[] {
  let at = 0;
  const readAtom = (): string => {
    const start = at;
    let depth = 0;
    for (; at < text.length; at += 1) {
      const char = text[at] ?? '';
      if (char === '[') depth += 1;
      else if (char === ']') depth -= 1;
      else if (depth === 0 && SPECIAL.test(char) && !(char === '\\' && at === start)) break;
    }
    if (at === start) throw new ImapSyntaxError(`unexpected "${text[at]}"`);
    return text.slice(start, at);
  };
  const readQuoted = (): string => {
    let value = '';
    for (at += 1; text[at] !== '"'; at += 1) {
      if (at >= text.length) throw new ImapSyntaxError('unterminated string');
      if (text[at] === '\\') at += 1;
      value += text[at];
    }
    at += 1;
    return value;
  };
  const readList = (isNested: boolean): readonly Argument[] => {
    const list: Argument[] = [];
    for (;;) {
      if (at >= text.length) {
        if (isNested) throw new ImapSyntaxError('unterminated list');
        return list;
      }
      const char = text[at];
      if (char === ')') {
        if (!isNested) throw new ImapSyntaxError('unexpected ")"');
        at += 1;
        return list;
      }
      if (char === ' ') {
        at += 1;
        if (text[at] === ' ' || at >= text.length) throw new ImapSyntaxError('superfluous space');
      } else if (char === '(') {
        at += 1;
        list.push(readList(true));
      } else list.push(char === '"' ? readQuoted() : readAtom());
    }
  };
  return readList(false);
}

/** Writes a string: quoted, or as a literal if it has other characters. */
export function quoted(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text) && text.length < 500) return `"${text.replace(/["\\]/g, '\\$&')}"`;
  return `{${Buffer.byteLength(text)}}\r\n${text}`;
}

/** Writes a JSON value: null as NIL, and objects as lists of their values. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined) return 'NIL';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return quoted(value);
  if (Array.isArray(value)) return `(${value.map(valueText).join(' ')})`;
  if (typeof value === 'object') return `(${Object.values(value).map(valueText).join(' ')})`;
  return String(value);
}

const isFields = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const ENVELOPE = ['date', 'subject', 'from', 'sender', 'replyTo', 'to', 'cc', 'bcc', 'inReplyTo', 'messageId'] as const;

/** Writes an envelope; missing fields are NIL. */
export function envelopeText(value: unknown): string {
  if (!isFields(value)) return valueText(value);
  return `(${ENVELOPE.map((name) => valueText(value[name])).join(' ')})`;
}

/** Writes a description of `structureOf`. */
export function structureText(value: unknown): string {
  if (!isFields(value)) return valueText(value);
  const { parts, ...rest } = value;
  const values = Object.entries(rest).map(([name, field]) =>
    name === 'body' ? structureText(field) : valueText(field),
  );
  const children = Array.isArray(parts) ? parts.map(structureText).join('') : '';
  return `(${[...(children === '' ? [] : [children]), ...values].join(' ')})`;
}

type Range = readonly [first: number, last: number];

/** Joins ranges that touch, so that a long list of numbers is fast to compare. */
function joined(ranges: readonly Range[]): readonly Range[] {
  const result: Range[] = [];
  for (const [first, last] of [...ranges].sort(([a], [b]) => a - b)) {
    const before = result.at(-1);
    if (before === undefined || first > before[1] + 1) result.push([first, last]);
    else result[result.length - 1] = [before[0], Math.max(before[1], last)];
  }
  return result;
}

/** Returns the ranges of a set, for example `1:3,7,9:*`, in ascending order. */
export function sequenceRanges(text: string, largest: number): readonly Range[] {
  if (!/^(\d+|\*)(:(\d+|\*))?(,(\d+|\*)(:(\d+|\*))?)*$/.test(text)) throw new ImapSyntaxError('invalid sequence set');
  const numberOf = (bound: string) => {
    const number = bound === '*' ? largest : Number(bound);
    if (bound !== '*' && number < 1) throw new ImapSyntaxError('invalid number in a sequence set');
    return number;
  };
  const ranges = text.split(',').map((range) => {
    const [first = '', last = first] = range.split(':');
    const bounds = [numberOf(first), numberOf(last)];
    return [Math.min(...bounds), Math.max(...bounds)] as const;
  });
  return joined(ranges);
}

/** Returns true for numbers in a set. */
export function sequenceSet(text: string, largest: number): (number: number) => boolean {
  const ranges = sequenceRanges(text, largest);
  return (number) => ranges.some(([from, to]) => number >= from && number <= to);
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const two = (number: number) => String(number).padStart(2, '0');

/** Writes a date as INTERNALDATE does. */
export const dateTimeOf = (date: Date): string =>
  `${two(date.getUTCDate())}-${MONTHS[date.getUTCMonth()]}-${date.getUTCFullYear()} ${date.toISOString().slice(11, 19)} +0000`;

/** Parses a date of SEARCH, for example `5-Jan-2026`, as UTC. */
export function parseDay(text: string): number {
  const [, day, month = '', year] = /^(\d{1,2})-([A-Z][a-z]{2})-(\d{4})$/.exec(text) ?? [];
  const at = MONTHS.indexOf(month);
  if (day === undefined || at < 0) throw new ImapSyntaxError('invalid date');
  return Date.UTC(Number(year), at, Number(day));
}

/** Encodes the name of a folder as modified UTF-7 (RFC 3501, 5.1.3). */
export function encodeFolder(name: string): string {
  return name.replace(/&|[^\x20-\x7e]+/g, (text) => {
    if (text === '&') return '&-';
    const bytes = Buffer.from(text, 'utf16le').swap16();
    return `&${bytes.toString('base64').replace(/=+$/, '').replaceAll('/', ',')}-`;
  });
}

export function decodeFolder(name: string): string {
  return name.replace(/&([^-]*)-/g, (_whole, text: string) => {
    if (text === '') return '&';
    const bytes = Buffer.from(text.replaceAll(',', '/'), 'base64');
    return bytes
      .subarray(0, bytes.length - (bytes.length % 2))
      .swap16()
      .toString('utf16le');
  });
}
