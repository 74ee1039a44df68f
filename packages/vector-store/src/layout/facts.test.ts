import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { factKey, factsOf, factValue, presenceFact, titleFact, valueFact } from '#layout/facts';

const REST = { title: 'Été in Zürich', createdAt: '2026-01-01T00:00:00.000Z', updatedAt: '2026-02-03T04:05:06.789Z' };
const factsOn = (metadata: Record<string, unknown>, field: string) => {
  const bucket = factKey(field).replace('facts.', '');
  return factsOf({ metadata, ...REST })[bucket] ?? [];
};
const valuesOn = (metadata: Record<string, unknown>, field: string) =>
  factsOn(metadata, field).flatMap((fact) => factValue(field, fact) ?? []);

describe('facts', () => {
  it('contain each value of a list once, nested objects by path, and the days of dates', () => {
    const metadata = { tags: ['a', 'b', 'a'], owner: { team: 'ops', 'cost.center': 7 }, draft: false };
    expect(valuesOn(metadata, 'metadata.tags')).toEqual(['a', 'b']);
    expect(valuesOn(metadata, 'metadata.owner.team')).toEqual(['ops']);
    expect(valuesOn(metadata, 'metadata.owner.cost.center')).toEqual([7]);
    expect(valuesOn(metadata, 'metadata.draft')).toEqual([false]);
    expect(valuesOn(metadata, 'updatedAt')).toEqual(['2026-02-03']);
  });

  it('contain the prefixes of title words without accents', () => {
    const { key, fact } = titleFact('ZÜRich');
    expect(key).toBe(factKey('title'));
    expect(factsOn({}, 'title')).toContain(fact);
    expect(valuesOn({}, 'title')).toEqual(['e', 'et', 'ete', 'i', 'in', 'z', 'zu', 'zur']);
  });

  it('distinguish a field with a value from one that is missing, null or an empty list', () => {
    const present = (value: unknown) => factsOn({ x: value }, 'metadata.x').includes(presenceFact('metadata.x'));
    expect([0, '', false, ['a'], {}, { y: 1 }].map(present)).toEqual([true, true, true, true, true, true]);
    expect([null, [], [null], undefined].map(present)).toEqual([false, false, false, false]);
  });

  it('distinguish values of different types, and store long texts as hashes', () => {
    expect(valueFact('metadata.x', 1)).not.toBe(valueFact('metadata.x', '1'));
    expect(valueFact('metadata.x', -0)).toBe(valueFact('metadata.x', 0));
    const long = 'x'.repeat(100_000);
    expect(factsOn({ x: long }, 'metadata.x')).toContain(valueFact('metadata.x', long));
    expect(valueFact('metadata.x', long).length).toBeLessThan(100);
    expect(valuesOn({ x: long }, 'metadata.x')).toEqual([]);
  });

  it('return the value of their own field for any names and values', () => {
    const value = fc.oneof(fc.string(), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean());
    const name = fc.oneof(fc.string(), fc.constantFrom('a', 'a=s:x', 'a=', '%3D', 'a?', '='));
    fc.assert(
      fc.property(name, name, value, (one, other, fieldValue) => {
        const fact = valueFact(one, fieldValue);
        expect(factValue(one, fact)).toEqual(fieldValue === 0 ? 0 : fieldValue);
        if (one !== other) expect(factValue(other, fact)).toBeUndefined();
      }),
      { seed: 3, numRuns: 500 },
    );
  });
});
