import { describe, expect, it } from '@jest/globals';
import { MAX_NAME, MAX_PARAMS, MAX_SAVED, readSaved, writeSaved } from '#pages/search/saved-searches.ts';

const ADA = { teamId: 'team_1', id: 'person_ada' };

function storageWith(text?: string) {
  const entries = new Map(text === undefined ? [] : [['lectern.searches.team_1.person_ada', text]]);
  return () => ({
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (key: string, value: string) => void entries.set(key, value),
  });
}

describe('saved searches', () => {
  it('belong to one person in one team, and are ordered by name', () => {
    const storage = storageWith();
    writeSaved(storage, ADA, [
      { name: 'Travel', params: 'q=travel' },
      { name: 'Leave', params: 'q=leave&type=pdf' },
    ]);
    expect(readSaved(storage, ADA)).toEqual([
      { name: 'Leave', params: 'q=leave&type=pdf' },
      { name: 'Travel', params: 'q=travel' },
    ]);
    expect(readSaved(storage, { ...ADA, teamId: 'team_2' })).toEqual([]);
    expect(readSaved(storage, { ...ADA, id: 'person_bob' })).toEqual([]);
  });

  it('are none if the storage is blocked or damaged', () => {
    const blocked = () => {
      throw new DOMException('The operation is insecure.', 'SecurityError');
    };
    expect(readSaved(blocked, ADA)).toEqual([]);
    for (const text of ['', '{', 'null', '{"name":"a"}', '"text"'])
      expect(readSaved(storageWith(text), ADA)).toEqual([]);
  });

  it('skip damaged entries, and shorten what is too long', () => {
    const stored = [
      null,
      'text',
      { name: ' ', params: '' },
      { name: 'No parameters' },
      { name: 'Too large', params: 'x'.repeat(MAX_PARAMS + 1) },
      { name: `Long ${'x'.repeat(500)}`, params: '' },
      { name: 'Leave', params: 'q=leave' },
      { name: ' leave ', params: 'q=other' },
    ];
    const read = readSaved(storageWith(JSON.stringify(stored)), ADA);
    expect(read.map(({ name }) => name)).toEqual(['Leave', `Long ${'x'.repeat(MAX_NAME - 5)}`]);
    expect(read[0]?.params).toBe('q=leave');
    const many = Array.from({ length: 500 }, (_, at) => ({ name: `Search ${at}`, params: '' }));
    expect(readSaved(storageWith(JSON.stringify(many)), ADA)).toHaveLength(MAX_SAVED);
  });
});
