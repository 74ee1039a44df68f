import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { entriesOf, failedEntry, mapEntries, wholeList } from '#http/entries';

const Entry = z.object({ id: z.string(), size: z.number().optional(), tags: z.array(z.string()).optional() });

describe('entriesOf', () => {
  it('parses each entry separately and treats null as absent', () => {
    const listed = [
      { id: 'a', size: null, tags: [] },
      { id: 'b', size: 'large' },
      { title: 'c' },
      null,
      7,
      { id: 'd' },
    ];
    const { items, unreadable } = entriesOf(Entry).parse(listed);
    expect(items.map(({ id }) => id)).toEqual(['a', 'd']);
    expect(unreadable.map(({ id, name }) => [id, name])).toEqual([
      ['b', undefined],
      [undefined, 'c'],
      [undefined, undefined],
      [undefined, undefined],
    ]);
    expect(unreadable.map(({ problem }) => problem).join()).not.toContain('large');
    expect(() => wholeList({ items, unreadable }, 'the list')).toThrow('An entry of the list has an unexpected format');
  });

  it('rejects a value that is not a list', () => {
    for (const listed of [undefined, null, {}, 'x']) expect(entriesOf(Entry).safeParse(listed).success).toBe(false);
    expect(entriesOf(Entry, { optional: true }).parse(undefined)).toEqual({ items: [], unreadable: [] });
  });

  it('marks an entry as unreadable if mapping it fails', () => {
    const entries = entriesOf(Entry).parse([{ id: 'a' }, { id: 'b' }]);
    const { items, unreadable } = mapEntries(
      entries,
      ({ id }) => id,
      ({ id }) => {
        if (id === 'a') throw new RangeError('Invalid time value');
        return [id];
      },
    );
    expect(items).toEqual(['b']);
    expect(unreadable).toMatchObject([{ id: 'a' }]);
  });

  it('gives an entry without an id a stable name, and prevents deletions because of it', () => {
    const [one, other] = entriesOf(Entry).parse([{ name: 'x' }, { name: 'y' }]).unreadable;
    const event = failedEntry(one!, { id: undefined, what: 'the list' });
    expect(event).toMatchObject({ type: 'failed', path: 'x', error: { code: 'unreadable_entry' } });
    expect(failedEntry(one!, { id: undefined, what: 'the list' })).toEqual(event);
    expect(failedEntry(other!, { id: undefined, what: 'the list' })).not.toMatchObject({
      id: (event as { id: string }).id,
    });
    expect(failedEntry(one!, { id: 'i', what: 'the list' })).toMatchObject({ id: 'i', error: { code: 'invalid' } });
  });
});
