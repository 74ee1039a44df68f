import { describe, expect, it } from '@jest/globals';
import { AppError } from '@lectern/service-kit';
import fc from 'fast-check';
import { type Filter, type Path, parseFilter, parsePath, type Value } from '#scim/filter';

const ATTRIBUTES = ['userName', 'externalId', 'emails.value', 'displayName', 'active', 'name.givenName', '$ref'];

/** A filter before it is printed. */
type Expression =
  | { readonly kind: 'comparison'; readonly attribute: string; readonly value: Value }
  | { readonly kind: 'and'; readonly parts: readonly Expression[] };

const values: fc.Arbitrary<Value> = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 20 }).filter((text) => !text.includes('\0')),
  fc.constantFrom('and', ') or (', '"quoted"', '\\', 'a]b'),
  fc.boolean(),
  fc.constant(null),
  fc.integer(),
);
const { expression } = fc.letrec<{ expression: Expression }>((tie) => ({
  expression: fc.oneof(
    { maxDepth: 3 },
    fc.record({ kind: fc.constant('comparison' as const), attribute: fc.constantFrom(...ATTRIBUTES), value: values }),
    fc.record({
      kind: fc.constant('and' as const),
      parts: fc.array(tie('expression'), { minLength: 1, maxLength: 2 }),
    }),
  ),
}));

const flat = (found: Expression): Filter =>
  found.kind === 'and' ? found.parts.flatMap(flat) : [{ attribute: found.attribute.toLowerCase(), value: found.value }];

/** Prints an expression. `choose` decides spelling and spaces. */
function print(found: Expression, choose: () => boolean): string {
  const cased = (text: string) => (choose() ? text.toUpperCase() : text);
  const space = () => (choose() ? '  ' : ' ');
  const urn = (text: string) => (choose() ? `urn:ietf:params:scim:schemas:core:2.0:User:${text}` : text);
  if (found.kind === 'comparison') {
    const literal = typeof found.value === 'string' ? JSON.stringify(found.value) : cased(String(found.value));
    return `${urn(cased(found.attribute))}${space()}${cased('eq')}${space()}${literal}`;
  }
  const inner = found.parts.map((part) => print(part, choose)).join(`${space()}${cased('and')}${space()}`);
  return `(${choose() ? ' ' : ''}${inner})`;
}

const choices = fc.infiniteStream(fc.boolean()).map((stream) => () => stream.next().value as boolean);
const codeOf = (work: () => unknown): unknown => {
  try {
    work();
    return undefined;
  } catch (error) {
    if (error instanceof AppError) return error.details?.scimType;
    throw error;
  }
};

describe('a filter', () => {
  it('is the same after it is printed with any spelling, spaces and parentheses', () => {
    fc.assert(
      fc.property(expression, choices, (found, choose) => {
        const comparisons = flat(found);
        const printed = print(found, choose);
        fc.pre(comparisons.length <= 10 && printed.length <= 1_000);
        expect(parseFilter(printed)).toEqual(comparisons);
      }),
      { numRuns: 500 },
    );
  });

  it('rejects everything else as an invalid filter, and nothing in another way', () => {
    const parts = fc.constantFrom('userName', 'eq', 'and', 'or', 'not', '(', ')', '[', ']', '"x"', '"', '.', '1', 'pr');
    const texts = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(parts).map((found) => found.join(' ')),
    );
    fc.assert(
      fc.property(texts, (text) => {
        expect([undefined, 'invalidFilter']).toContain(codeOf(() => parseFilter(text)));
        expect([undefined, 'invalidPath']).toContain(codeOf(() => parsePath(text)));
      }),
      { numRuns: 1_000 },
    );
  });

  it('reads the values of a list in brackets', () => {
    expect(parseFilter('emails[type eq "work"].value eq "ada@example.com"')).toEqual([
      { attribute: 'emails.type', value: 'work' },
      { attribute: 'emails.value', value: 'ada@example.com' },
    ]);
    expect(parseFilter('emails[type eq "work" and value eq "a"]')).toHaveLength(2);
  });

  it.each([
    ['an unsupported operator', 'userName co "a"'],
    ['or', 'userName eq "a" or userName eq "b"'],
    ['an unquoted value', 'userName eq ada'],
    ['a missing value', 'userName eq'],
    ['an open parenthesis', '(userName eq "a"'],
    ['a second filter', 'userName eq "a" userName eq "b"'],
    ['brackets in brackets', 'emails[type[value eq "a"] eq "b"]'],
    ['half a surrogate pair', 'userName eq "\\ud800"'],
    ['U+0000', 'userName eq "\\u0000"'],
    ['too many comparisons', Array.from({ length: 11 }, () => 'id eq "a"').join(' and ')],
    ['deep nesting', `${'('.repeat(20)}id eq "a"${')'.repeat(20)}`],
    ['a long text', `id eq "${'a'.repeat(1_000)}"`],
  ])('rejects %s', (_what, text) => expect(codeOf(() => parseFilter(text))).toBe('invalidFilter'));
});

describe('a path', () => {
  it.each<[string, Path]>([
    ['userName', { attribute: 'username' }],
    ['urn:ietf:params:scim:schemas:core:2.0:User:name.givenName', { attribute: 'name', sub: 'givenname' }],
    ['members[value eq "per_1"]', { attribute: 'members', filter: [{ attribute: 'value', value: 'per_1' }] }],
    [
      'emails[type eq "work" and primary eq True].value',
      {
        attribute: 'emails',
        filter: [
          { attribute: 'type', value: 'work' },
          { attribute: 'primary', value: true },
        ],
        sub: 'value',
      },
    ],
    [
      'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:manager.value',
      { attribute: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:user:manager.value' },
    ],
  ])('reads %s', (text, path) => expect(parsePath(text)).toEqual(path));

  it.each(['', 'emails[', 'emails[].value', 'a.b.c', 'emails[type eq "x"].', '__proto__ x', 'userName eq "a"'])(
    'rejects %j',
    (text) => expect(codeOf(() => parsePath(text))).toBe('invalidPath'),
  );
});
