import { describe, expect, it } from '@jest/globals';
import type { SearchRule } from '@lectern/contracts';
import fc from 'fast-check';
import { curationOf, mergePins, othersOn } from '#rules/curation';

const documents = fc.constantFrom(...'abcdefghij');
const rule = fc
  .record({
    pins: fc.array(fc.record({ documentId: documents, position: fc.integer({ min: 1, max: 12 }) }), { maxLength: 5 }),
    hiddenDocumentIds: fc.array(documents, { maxLength: 3 }),
  })
  .map((fields) => fields as unknown as SearchRule);

describe('curationOf', () => {
  it('gives each pinned document one position, without hidden documents', () => {
    fc.assert(
      fc.property(fc.array(rule, { maxLength: 4 }), (rules) => {
        const { pins, hidden } = curationOf(rules);
        const slots = pins.map(({ slot }) => slot);
        expect(slots).toEqual([...new Set(slots)].sort((a, b) => a - b));
        const pinned = pins.map(({ document }) => document);
        const named = rules.flatMap((one) => one.pins.map(({ documentId }) => documentId));
        expect(new Set(pinned)).toEqual(new Set(named.filter((document) => !hidden.includes(document))));
        expect(new Set(pinned).size).toBe(pinned.length);
      }),
    );
  });

  it('prefers the newest rule for a document and for a position', () => {
    const newest = { pins: [{ documentId: 'a', position: 2 }], hiddenDocumentIds: [] } as unknown as SearchRule;
    const older = {
      pins: [
        { documentId: 'a', position: 1 },
        { documentId: 'b', position: 2 },
      ],
      hiddenDocumentIds: [],
    } as unknown as SearchRule;
    expect(curationOf([newest, older]).pins).toEqual([
      { document: 'a', slot: 1 },
      { document: 'b', slot: 2 },
    ]);
  });
});

describe('mergePins', () => {
  it('cuts all pages from one list with the pins at their positions', () => {
    const generated = fc.record({
      rules: fc.array(rule, { maxLength: 3 }),
      total: fc.integer({ min: 0, max: 30 }),
      limit: fc.integer({ min: 1, max: 9 }),
    });
    fc.assert(
      fc.property(generated, ({ rules, total, limit }) => {
        const pins = curationOf(rules).pins.map((pin) => ({ ...pin, hit: `pin ${pin.document}` }));
        const others = Array.from({ length: total }, (_, at) => `other ${at}`);
        const whole = [...others];
        for (const { slot, hit } of pins) whole.splice(Math.min(slot, whole.length), 0, hit);
        const paged: string[] = [];
        for (let offset = 0; offset <= whole.length; offset += limit) {
          const page = { offset, end: offset + limit };
          const span = othersOn(page, pins);
          paged.push(...mergePins(page, pins, others.slice(span.offset, span.end), total));
        }
        expect(paged).toEqual(whole);
      }),
    );
  });
});
