import { scimError } from '#scim/errors';

const MAX_LENGTH = 1_000;
const MAX_COMPARISONS = 10;
const MAX_DEPTH = 8;

/** A value in a filter. */
export type Value = string | number | boolean | null;

/** `attribute eq value`. The attribute is in lower case, with a dot before a sub-attribute. */
export interface Comparison {
  readonly attribute: string;
  readonly value: Value;
}

/** Comparisons that must all be true. */
export type Filter = readonly Comparison[];

/** What a PATCH operation changes: `emails[type eq "work"].value`. Names are in lower case. */
export interface Path {
  readonly attribute: string;
  readonly filter?: Filter;
  readonly sub?: string;
}

type ErrorType = 'invalidFilter' | 'invalidPath';

const TOKEN = /\s*(?:([()[\]])|("(?:[^"\\]|\\.)*")|([^\s()[\]"]+))/y;
const CORE = /^urn:ietf:params:scim:schemas:core:2\.0:(?:user|group):/;
const NAME = /^[a-z$][\w$-]*$/;
const NUMBER = /^-?\d+(?:\.\d+)?$/;
const LITERALS: ReadonlyMap<string, Value> = new Map<string, Value>([
  ['true', true],
  ['false', false],
  ['null', null],
]);

const BRACKETS: readonly (string | undefined)[] = ['(', ')', '[', ']'];

function tokensOf(text: string, type: ErrorType): string[] {
  if (text.length > MAX_LENGTH) throw scimError(type, `The text is too long. It can have ${MAX_LENGTH} characters.`);
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  const end = text.trimEnd().length;
  while (TOKEN.lastIndex < end) {
    const at = TOKEN.lastIndex;
    const [, bracket, quoted, word] = TOKEN.exec(text) ?? [];
    const token = bracket ?? quoted ?? word;
    if (token === undefined) throw scimError(type, `The text is malformed at position ${at}. Check the quotes.`);
    tokens.push(token);
  }
  return tokens;
}

/** Lower case, without the URN of the core schemas. The URN of another schema stays: it is not supported. */
const attributeName = (word: string): string => word.toLowerCase().replace(CORE, '');

/** A parser for filters and paths. Grammar: RFC 7644, 3.4.2.2 and 3.5.2, with `eq` and `and` only. */
function createParser(text: string, type: ErrorType) {
  const tokens = tokensOf(text, type);
  let next = 0;
  let comparisons = 0;

  const fail = (expected: string): never => {
    const token = tokens[next];
    const found = token === undefined ? 'the end' : `${token.slice(0, 50)}`;
    throw scimError(type, `Expected ${expected}, but found ${found}. Lectern supports eq and and.`);
  };
  const accept = (token: string): boolean => {
    if (tokens[next]?.toLowerCase() !== token) return false;
    next += 1;
    return true;
  };
  const expect = (token: string) => accept(token) || fail(token);

  const word = (what: string): string => {
    const token = tokens[next];
    if (token === undefined || BRACKETS.includes(token) || token.startsWith('"')) return fail(what);
    next += 1;
    return token;
  };
  const attribute = (): string => {
    const name = attributeName(word('an attribute'));
    const isKnownForm = name.startsWith('urn:') || name.split('.').every((part) => NAME.test(part));
    if (!isKnownForm || name.split('.').length > (name.startsWith('urn:') ? 10 : 2)) {
      next -= 1;
      return fail('an attribute');
    }
    return name;
  };
  const value = (): Value => {
    const token = tokens[next] ?? '';
    const literal = LITERALS.get(token.toLowerCase());
    if (literal === undefined && !token.startsWith('"') && !NUMBER.test(token)) fail('a value');
    next += 1;
    if (literal !== undefined) return literal;
    try {
      const parsed: unknown = JSON.parse(token);
      if (typeof parsed === 'string' ? parsed.isWellFormed() && !parsed.includes('\0') : Number.isFinite(parsed)) {
        return parsed as string | number;
      }
    } catch {
      // Reported below.
    }
    next -= 1;
    return fail('a value');
  };

  const sub = (): string | undefined => {
    const token = tokens[next];
    if (token === undefined || !token.startsWith('.')) return undefined;
    const name = token.slice(1).toLowerCase();
    if (!NAME.test(name)) return fail('a sub-attribute');
    next += 1;
    return name;
  };
  const comparison = (prefix: string, depth: number): Filter => {
    if (accept('(')) {
      const inner = conjunction(prefix, depth + 1);
      expect(')');
      return inner;
    }
    const name = `${prefix}${attribute()}`;
    if (tokens[next] === '[') {
      if (prefix !== '') fail('eq');
      const inner = valueFilter(name, depth);
      const of = sub();
      if (of === undefined) return inner;
      expect('eq');
      return [...inner, count({ attribute: `${name}.${of}`, value: value() })];
    }
    expect('eq');
    return [count({ attribute: name, value: value() })];
  };
  const count = (found: Comparison): Comparison => {
    comparisons += 1;
    if (comparisons > MAX_COMPARISONS) {
      throw scimError(type, `The filter has too many comparisons. It can have ${MAX_COMPARISONS}.`);
    }
    return found;
  };
  const conjunction = (prefix: string, depth: number): Filter => {
    if (depth > MAX_DEPTH) throw scimError(type, `The filter is nested deeper than ${MAX_DEPTH} levels.`);
    const found = [...comparison(prefix, depth)];
    while (accept('and')) found.push(...comparison(prefix, depth));
    return found;
  };
  /** `[…]` after the name of an attribute. The comparisons name the attribute too. */
  const valueFilter = (name: string, depth: number): Filter => {
    expect('[');
    const inner = conjunction(`${name}.`, depth + 1);
    expect(']');
    return inner;
  };
  const end = () => next < tokens.length && fail('the end');

  return { attribute, conjunction, valueFilter, sub, end, hasBracket: () => tokens[next] === '[' };
}

/** Parses a filter. Throws `invalidFilter`. */
export function parseFilter(text: string): Filter {
  const parser = createParser(text, 'invalidFilter');
  const filter = parser.conjunction('', 0);
  parser.end();
  return filter;
}

/** Parses the path of a PATCH operation. Throws `invalidPath`. */
export function parsePath(text: string): Path {
  const parser = createParser(text, 'invalidPath');
  const name = parser.attribute();
  if (parser.hasBracket()) {
    const inner = parser.valueFilter(name, 0);
    const filter = inner.map((found) => ({ ...found, attribute: found.attribute.slice(name.length + 1) }));
    const sub = parser.sub();
    parser.end();
    return { attribute: name, filter, ...(sub === undefined ? {} : { sub }) };
  }
  parser.end();
  const [attribute = name, sub] = name.startsWith('urn:') ? [name] : name.split('.');
  return { attribute, ...(sub === undefined ? {} : { sub }) };
}
