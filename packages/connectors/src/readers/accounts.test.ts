import { describe, expect, it } from '@jest/globals';
import { toPrincipal } from '@lectern/contracts';
import { createAccounts } from '#readers/accounts';
import type { Account } from '#readers/reader';

const call = { signal: new AbortController().signal };

describe('accounts', () => {
  it('are named by email, or by a valid principal with their id', async () => {
    const known = new Map<string, Account>([['a', { name: 'Ada', email: 'Ada@Example.com' }]]);
    const { principalsOf } = createAccounts({ source: 'jira', load: async () => known });
    const principals = await principalsOf(call, [
      { kind: 'user', id: 'a' },
      { kind: 'user', id: 'b', email: 'Bob@example.com' },
      { kind: 'user', id: 'two words' },
      { kind: 'user', id: '557058:1f-2e' },
    ]);
    expect(principals).toEqual([
      'user:ada@example.com',
      'user:bob@example.com',
      'user:jira:two%20words',
      'user:jira:557058:1f-2e',
    ]);
    expect(principals.map(toPrincipal)).toEqual(principals);
  });

  it('are requested once in ten minutes', async () => {
    const requested: string[] = [];
    let time = Date.UTC(2026, 0, 1);
    const accounts = createAccounts({
      source: 'jira',
      now: () => time,
      load: async (_call, ids) => {
        requested.push(...ids);
        return new Map();
      },
    });
    await accounts.find(call, ['a', 'b', 'a']);
    await accounts.find(call, ['b', 'c']);
    expect(requested).toEqual(['a', 'b', 'c']);
    time += 11 * 60_000;
    await accounts.find(call, ['a']);
    expect(requested).toEqual(['a', 'b', 'c', 'a']);
  });
});
