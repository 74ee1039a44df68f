/** A record; related records are in the field of their relationship. */
export type SoqlRecord = Readonly<Record<string, unknown>>;

export interface SoqlQuery {
  readonly fields: readonly string[];
  readonly object: string;
  readonly where: (record: SoqlRecord) => boolean;
  readonly orderBy: readonly string[];
  readonly limit: number | undefined;
  /** All fields in the query; they must exist. */
  readonly named: readonly string[];
}

const TOKEN = /\s*('(?:[^'\\]|\\.)*'|<=|>=|!=|[=<>(),]|[^\s=<>!(),']+)/y;

/** The MALFORMED_QUERY error of Salesforce. */
export class MalformedQuery extends Error {}

function tokenize(soql: string): string[] {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < soql.trimEnd().length) {
    const token = TOKEN.exec(soql)?.[1];
    if (token === undefined) throw new MalformedQuery('unexpected token');
    tokens.push(token);
  }
  return tokens;
}

export function fieldOf(record: SoqlRecord, path: string): unknown {
  let value: unknown = record;
  for (const part of path.split('.')) {
    if (typeof value !== 'object' || value === null) return null;
    const key = Object.keys(value).find((name) => name.toLowerCase() === part.toLowerCase());
    value = key === undefined ? null : Object.entries(value).find(([name]) => name === key)?.[1];
  }
  return value ?? null;
}

const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:?\d\d)$/;

function literal(token: string): unknown {
  if (token.startsWith("'")) return token.slice(1, -1).replace(/\\(.)/g, '$1');
  if (/^null$/i.test(token)) return null;
  if (/^(true|false)$/i.test(token)) return token.toLowerCase() === 'true';
  if (DATE_TIME.test(token) || /^-?\d+(\.\d+)?$/.test(token)) return token;
  throw new MalformedQuery(`unexpected token: '${token}'`);
}

function compare(value: unknown, other: unknown): number {
  const times = [value, other].map((text) =>
    typeof text === 'string' && DATE_TIME.test(text) ? Date.parse(text) : NaN,
  );
  const [a, b] = times.some(Number.isNaN) ? [value, other] : times;
  if (typeof a === 'number' || typeof b === 'number') return Number(a) - Number(b);
  const [left, right] = [String(a), String(b)];
  return left === right ? 0 : left < right ? -1 : 1;
}

function test(value: unknown, operator: string, other: unknown): boolean {
  if (operator === '=') return other === null ? value === null : value !== null && compare(value, other) === 0;
  if (operator === '!=') return other === null ? value !== null : value === null || compare(value, other) !== 0;
  if (value === null) return false;
  const order = compare(value, other);
  return operator === '<' ? order < 0 : operator === '>' ? order > 0 : operator === '<=' ? order <= 0 : order >= 0;
}

/** Parses one query: SELECT, FROM, WHERE (with AND, OR, NOT, IN, LIKE), ORDER BY, LIMIT. Throws `MalformedQuery`. */
export function parseSoql(soql: string): SoqlQuery {
  const tokens = tokenize(soql);
  const named: string[] = [];
  let at = 0;
  const is = (word: string) => tokens[at]?.toLowerCase() === word;
  const take = () => {
    const token = tokens[at];
    if (token === undefined) throw new MalformedQuery('unexpected end of query');
    at += 1;
    return token;
  };
  const expect = (word: string) => {
    if (!is(word)) throw new MalformedQuery(`unexpected token: '${tokens[at] ?? '<EOF>'}', expecting ${word}`);
    at += 1;
  };
  const names = () => {
    const list = [take()];
    while (is(',')) {
      at += 1;
      list.push(take());
    }
    return list;
  };

  type Condition = (record: SoqlRecord) => boolean;
  const primary = (): Condition => {
    if (is('not')) {
      at += 1;
      const inner = primary();
      return (record) => !inner(record);
    }
    if (is('(')) {
      at += 1;
      const inner = condition();
      expect(')');
      return inner;
    }
    const field = take();
    if (!/^[A-Za-z][\w.]*$/.test(field)) throw new MalformedQuery(`unexpected token: '${field}'`);
    named.push(field);
    const operator = take().toLowerCase();
    if (operator === 'in') {
      expect('(');
      const values = names().map(literal);
      expect(')');
      return (record) => values.some((value) => test(fieldOf(record, field), '=', value));
    }
    const value = literal(take());
    if (operator === 'like') {
      const pattern = String(value)
        .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
        .replaceAll('%', '.*')
        .replaceAll('_', '.');
      return (record) => new RegExp(`^${pattern}$`, 'i').test(String(fieldOf(record, field) ?? ''));
    }
    if (!['=', '!=', '<', '>', '<=', '>='].includes(operator)) throw new MalformedQuery(`unexpected: '${operator}'`);
    return (record) => test(fieldOf(record, field), operator, value);
  };
  const condition = (): Condition => {
    const parts = [primary()];
    const word = is('or') ? 'or' : 'and';
    while (is('and') || is('or')) {
      // SOQL does not allow mixing AND and OR without parentheses.
      expect(word);
      parts.push(primary());
    }
    return (record) => (word === 'or' ? parts.some((part) => part(record)) : parts.every((part) => part(record)));
  };

  expect('select');
  const fields = names();
  expect('from');
  const object = take();
  let where: Condition = () => true;
  if (is('where')) {
    at += 1;
    where = condition();
  }
  let orderBy: string[] = [];
  if (is('order')) {
    at += 1;
    expect('by');
    orderBy = names();
  }
  let limit: number | undefined;
  if (is('limit')) {
    at += 1;
    limit = Number(take());
  }
  if (at < tokens.length) throw new MalformedQuery(`unexpected token: '${tokens[at]}'`);
  return { fields, object, where, orderBy, limit, named: [...fields, ...named, ...orderBy] };
}

/** Returns the records of a query in its order. */
export function runSoql(query: SoqlQuery, records: Iterable<SoqlRecord>): SoqlRecord[] {
  const found = [...records].filter(query.where).sort((a, b) => {
    for (const field of query.orderBy) {
      const order = compare(fieldOf(a, field), fieldOf(b, field));
      if (order !== 0) return order;
    }
    return 0;
  });
  return query.limit === undefined ? found : found.slice(0, query.limit);
}
