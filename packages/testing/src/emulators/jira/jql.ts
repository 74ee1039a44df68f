/**
 * The part of JQL that the tests use, written from Jira's grammar: tokens, clauses and ORDER BY.
 * https://support.atlassian.com/jira-software-cloud/docs/use-advanced-search-with-jira-query-language-jql/
 */

export interface JqlToken {
  readonly kind: 'word' | 'string' | 'symbol';
  /** The value, without quotes and escapes. */
  readonly text: string;
}

/** Invalid JQL, with Jira's explanation. */
export class JqlError extends Error {}

const ESCAPE = String.raw`\\(?:[tnr\\'" ]|u[0-9a-fA-F]{4})`;
const PATTERN = new RegExp(
  [
    String.raw`(?<space>\s+)`,
    String.raw`"(?<double>(?:${ESCAPE}|[^"\\\u0000-\u001f])*)"`,
    String.raw`'(?<single>(?:${ESCAPE}|[^'\\\u0000-\u001f])*)'`,
    '(?<symbol>!=|>=|<=|!~|[=<>~(),])',
    String.raw`(?<word>(?:${ESCAPE}|[^\s"'\\=<>~!(),&|\u0000-\u001f])+)`,
  ].join('|'),
  'y',
);

const ESCAPES: Readonly<Record<string, string>> = { t: '\t', n: '\n', r: '\r' };
const withoutEscapes = (text: string): string =>
  text.replace(/\\(?:u([0-9a-fA-F]{4})|(.))/gs, (_all, hex: string | undefined, other: string) =>
    hex === undefined ? (ESCAPES[other] ?? other) : String.fromCharCode(Number.parseInt(hex, 16)),
  );

/** Splits a query into tokens. Throws `JqlError` at the first character that begins none. */
export function jqlTokens(jql: string): readonly JqlToken[] {
  const tokens: JqlToken[] = [];
  PATTERN.lastIndex = 0;
  while (PATTERN.lastIndex < jql.length) {
    const at = PATTERN.lastIndex;
    const groups = PATTERN.exec(jql)?.groups;
    if (groups === undefined) throw new JqlError(`Error in the JQL Query: The character at ${at} is not expected.`);
    const quoted = groups.double ?? groups.single;
    if (quoted !== undefined) tokens.push({ kind: 'string', text: withoutEscapes(quoted) });
    else if (groups.symbol !== undefined) tokens.push({ kind: 'symbol', text: groups.symbol });
    else if (groups.word !== undefined) tokens.push({ kind: 'word', text: withoutEscapes(groups.word) });
  }
  return tokens;
}

export type JqlClause =
  | { readonly kind: 'and'; readonly clauses: readonly JqlClause[] }
  | { readonly kind: 'or'; readonly clauses: readonly JqlClause[] }
  | { readonly kind: 'not'; readonly clause: JqlClause }
  | {
      readonly kind: 'terms';
      readonly field: string;
      readonly operator: string;
      readonly values: readonly string[];
    };

export interface JqlQuery {
  /** Undefined for a query without a restriction. */
  readonly where: JqlClause | undefined;
  readonly orderBy: readonly { readonly field: string; readonly ascending: boolean }[];
}

/** Parses a query. Throws `JqlError`. */
export function parseJql(jql: string): JqlQuery {
  const tokens = jqlTokens(jql);
  let at = 0;
  const isWord = (text: string, offset = 0) => {
    const token = tokens[at + offset];
    return token?.kind === 'word' && token.text.toLowerCase() === text;
  };
  const isSymbol = (text: string) => tokens[at]?.kind === 'symbol' && tokens[at]?.text === text;
  const fail = (): never => {
    const found = tokens[at]?.text;
    throw new JqlError(
      `Error in the JQL Query: ${found === undefined ? 'it ends too early' : `'${found}' is not expected`}.`,
    );
  };
  const expectSymbol = (text: string) => {
    if (!isSymbol(text)) fail();
    at += 1;
  };
  const value = (): string => {
    const token = tokens[at];
    if (token === undefined || token.kind === 'symbol') return fail();
    at += 1;
    return token.text;
  };
  const operator = (): string => {
    if (isWord('not') && isWord('in', 1)) {
      at += 2;
      return 'not in';
    }
    if (isWord('in')) {
      at += 1;
      return 'in';
    }
    const token = tokens[at];
    if (token?.kind !== 'symbol' || '(),'.includes(token.text)) return fail();
    at += 1;
    return token.text;
  };
  const terms = (): JqlClause => {
    const field = value().toLowerCase();
    const how = operator();
    if (!how.endsWith('in')) return { kind: 'terms', field, operator: how, values: [value()] };
    expectSymbol('(');
    const values = [value()];
    while (isSymbol(',')) {
      at += 1;
      values.push(value());
    }
    expectSymbol(')');
    return { kind: 'terms', field, operator: how, values };
  };
  const unary = (): JqlClause => {
    if (isWord('not')) {
      at += 1;
      return { kind: 'not', clause: unary() };
    }
    if (!isSymbol('(')) return terms();
    at += 1;
    const inner = either();
    expectSymbol(')');
    return inner;
  };
  const list = (kind: 'and' | 'or', next: () => JqlClause): JqlClause => {
    const clauses = [next()];
    while (isWord(kind)) {
      at += 1;
      clauses.push(next());
    }
    const [only] = clauses;
    return clauses.length === 1 && only !== undefined ? only : { kind, clauses };
  };
  const either = (): JqlClause => list('or', () => list('and', unary));

  const startsOrder = () => isWord('order') && isWord('by', 1);
  const where = tokens.length === 0 || startsOrder() ? undefined : either();
  const orderBy: { field: string; ascending: boolean }[] = [];
  if (startsOrder()) {
    at += 1;
    do {
      at += 1;
      const field = value().toLowerCase();
      const ascending = !isWord('desc');
      if (isWord('asc') || isWord('desc')) at += 1;
      orderBy.push({ field, ascending });
    } while (isSymbol(','));
  }
  if (at < tokens.length) fail();
  return { where, orderBy };
}
