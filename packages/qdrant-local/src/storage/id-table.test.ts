import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { comparePointIds, type PointId } from '../model/point-id.ts';
import { IdTable } from './id-table.ts';

const ids: fc.Arbitrary<PointId> = fc.oneof(fc.integer({ min: 0, max: 40 }), fc.constantFrom('a', 'b', 'c', 'd'));
const steps = fc.array(fc.tuple(fc.constantFrom('insert', 'remove', 'read'), ids), { maxLength: 200 });

describe('the table of ids', () => {
  it('lists the ids in order after any sequence of inserts, removals and listings', () => {
    fc.assert(
      fc.property(steps, (run) => {
        const table = new IdTable();
        const model = new Set<PointId>();
        for (const [step, id] of run) {
          if (step === 'insert' && !model.has(id)) {
            table.insert(id);
            model.add(id);
          } else if (step === 'remove') {
            table.remove(id);
            model.delete(id);
          } else if (step === 'read') table.sortedIds();
        }
        expect(table.sortedIds()).toEqual([...model].sort(comparePointIds));
        expect(table.size).toBe(model.size);
        expect(table.alive.count()).toBe(model.size);
        for (const id of model) expect(table.idAt(table.offsetOf(id) ?? -1)).toBe(id);
      }),
    );
  });
});
