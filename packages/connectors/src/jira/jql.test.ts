import { describe, expect, it } from '@jest/globals';
import { jqlTokens, parseJql, runCount } from '@lectern/testing';
import fc from 'fast-check';
import { changesJql, faultOfJql, keysJql, projectJql } from '#jira/jql';

/** Fragments that could end a condition early or add an order. */
const fragments = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('"', "'", '\\', '(', ')', ' ', '\\"', "\\'", '\\\\', '\\ ', '\\)', '\n') },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      'ORDER BY created DESC',
      'order\tby key',
      ' OR ',
      ' AND ',
      'NOT ',
      'status = Done',
      'project = OTHER',
      'labels in (a, "b")',
      'summary ~ "a) ORDER BY key"',
      "text ~ 'it\\'s'",
      '\\u0022',
      '\\u0029',
    ),
  },
  fc.string({ maxLength: 5 }),
  fc.string({ unit: 'binary', maxLength: 3 }),
);
const soup = fc.array(fragments, { maxLength: 12 }).map((parts) => parts.join('').trim());

const OWN_ORDER = ['ORDER', 'BY', 'created', 'ASC', ',', 'key', 'ASC'];

/** Returns the tokens of a query; undefined if Jira rejects it. */
function tokensOf(jql: string) {
  try {
    return jqlTokens(jql);
  } catch {
    return undefined;
  }
}

describe('faultOfJql', () => {
  it.each([
    'status = Done',
    'status = Done AND (labels = a OR labels = b)',
    'summary ~ "a) ORDER BY key"',
    "summary ~ 'it\\'s (open'",
    'summary ~ "a \\"word\\""',
    'summary ~ foo\\"bar',
    'assignee = currentUser()',
    'status changed BY ada',
    'cf[10010] = 5 AND "Order by" is not EMPTY',
    'updated >= -30d',
  ])('accepts %s', (jql) => {
    expect(faultOfJql(jql)).toBeUndefined();
  });

  it.each([
    ['status = Done ORDER BY created', 'ORDER BY'],
    ['ORDER BY created', 'ORDER BY'],
    ['(status = Done)order\n by created', 'ORDER BY'],
    ['status = Done) OR (project = X', 'parentheses'],
    ['status = Done) ORDER BY (key', 'parentheses'],
    ['(status = Done', 'parentheses'],
    ['summary ~ "open', 'not closed'],
    ["summary ~ 'open", 'not closed'],
    ['summary ~ "a\\"', 'not closed'],
    ['summary ~ a\\', 'backslash'],
  ])('rejects %s', (jql, why) => {
    expect(faultOfJql(jql)).toContain(why);
  });

  it('keeps any accepted text inside of its own condition, and the order of the listing', () => {
    let accepted = 0;
    fc.assert(
      fc.property(soup, (filter) => {
        fc.pre(filter !== '' && faultOfJql(filter) === undefined);
        const tokens = tokensOf(projectJql('DOCS', filter));
        // Jira rejects characters that its grammar does not know, and lists nothing.
        fc.pre(tokens !== undefined);
        accepted += 1;
        const texts = tokens!.map(({ text }) => text);
        expect(texts.slice(0, 5)).toEqual(['project', '=', 'DOCS', 'AND', '(']);
        expect(texts.slice(-OWN_ORDER.length)).toEqual(OWN_ORDER);
        let depth = 0;
        const closedAt = tokens!.findIndex(({ kind, text }, at) => {
          if (kind === 'symbol' && text === '(') depth += 1;
          if (kind === 'symbol' && text === ')') depth -= 1;
          return at >= 4 && depth === 0;
        });
        expect(closedAt).toBe(tokens!.length - OWN_ORDER.length - 1);
        const orders = tokens!.filter(
          ({ kind, text }, at) =>
            kind === 'word' && /^order$/i.test(text) && /^by$/i.test(tokens![at + 1]?.text ?? '') && at < closedAt,
        );
        expect(orders).toEqual([]);
      }),
      { numRuns: runCount({ quick: 3_000, full: 20_000 }) },
    );
    expect(accepted).toBeGreaterThan(100);
  });

  it('accepts any condition that Jira can parse', () => {
    const word = fc.constantFrom('a', 'Done', 'x\\"y', 'x\\ y', '"a) b"', "'(c'", '"\\\\"', '"ORDER BY x"');
    const term = fc.tuple(fc.constantFrom('status', 'labels', '"My (field)"'), fc.constantFrom('=', '!=', '~'), word);
    const list = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => `labels in (${words.join(', ')})`);
    const { condition } = fc.letrec<{ condition: string }>((tie) => ({
      condition: fc.oneof(
        { maxDepth: 4 },
        term.map((parts) => parts.join(' ')),
        list,
        tie('condition').map((inner) => `(${inner})`),
        tie('condition').map((inner) => `NOT ${inner}`),
        fc.tuple(tie('condition'), fc.constantFrom('AND', 'or'), tie('condition')).map((parts) => parts.join(' ')),
      ),
    }));
    fc.assert(
      fc.property(condition, (filter) => {
        const { where } = parseJql(filter);
        expect(faultOfJql(filter)).toBeUndefined();
        const own = { kind: 'terms', field: 'project', operator: '=', values: ['DOCS'] };
        const query = parseJql(projectJql('DOCS', filter));
        expect(query.orderBy.map(({ field }) => field)).toEqual(['created', 'key']);
        expect(query.where).toEqual({ kind: 'and', clauses: [own, where] });
      }),
      { numRuns: runCount({ quick: 500, full: 5_000 }) },
    );
  });
});

describe('queries', () => {
  it('quote names, and restrict changes to the projects, the time and the filter', () => {
    const since = new Date('2026-03-04T05:06:07Z');
    expect(changesJql(since, ['A', 'B'], 'status = Done OR status = Open')).toBe(
      'project in ("A", "B") AND updated >= "2026-03-04 05:06" AND (status = Done OR status = Open) ORDER BY updated ASC, key ASC',
    );
    expect(changesJql(since, [], undefined)).toBe('updated >= "2026-03-04 05:06" ORDER BY updated ASC, key ASC');
    expect(projectJql('A"B', undefined)).toBe('project = "A\\"B" ORDER BY created ASC, key ASC');
    expect(keysJql(['A-1', 'A-2'])).toBe('key in ("A-1", "A-2") ORDER BY key ASC');
  });
});
