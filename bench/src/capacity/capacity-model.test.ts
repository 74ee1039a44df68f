import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { capacityFor } from '#capacity/capacity-model';
import { ASSUMED, MEASURED, TARGET } from '#capacity/measured';
import { writeCapacity } from '#capacity/report';

const DOCUMENT = fileURLToPath(new URL('../../../docs/capacity.md', import.meta.url));

describe('capacityFor', () => {
  const costs = { queryCpuMs: { search: 5 }, documentCpuMs: { collection: 36 }, passagesPerDocument: 2 };
  const assumed = { ...ASSUMED, busyShare: 0.5, dimensions: 100, payloadBytesPerPassage: 500, vectorCopies: 3 };
  const target = { queriesPerSecond: 200, passages: 2_000_000, indexingHours: 1 };

  it('returns rate times demand divided by the target utilization', () => {
    const { coresForQueries, coresForIndexing, documents } = capacityFor(costs, assumed, target);
    expect(coresForQueries).toEqual({ search: 2 });
    expect(documents).toBe(1_000_000);
    expect(coresForIndexing.collection).toBeCloseTo((1_000_000 / 3_600) * 0.036 * 2);
  });

  it('scales with the rate and with the passages independently', () => {
    const base = capacityFor(costs, assumed, target);
    const busier = capacityFor(costs, assumed, { ...target, queriesPerSecond: 400 });
    const larger = capacityFor(costs, assumed, { ...target, passages: 4_000_000 });
    expect(busier.coresForQueries.search).toBe(2 * (base.coresForQueries.search ?? 0));
    expect(busier.vectorGigabytesOnDisk).toBe(base.vectorGigabytesOnDisk);
    expect(larger.vectorGigabytesOnDisk).toBe(2 * base.vectorGigabytesOnDisk);
    expect(larger.coresForQueries).toEqual(base.coresForQueries);
  });

  it('includes replicated floats, bytes and text of each passage', () => {
    const { vectorGigabytesOnDisk, vectorGigabytesInMemory } = capacityFor(costs, assumed, target);
    expect(vectorGigabytesOnDisk).toBeCloseTo((2e6 * 3 * (100 * 5 + 500)) / 1e9);
    expect(vectorGigabytesInMemory).toBeCloseTo((2e6 * 3 * 100) / 1e9);
  });
});

describe('docs/capacity.md', () => {
  it('contains the tables that the model generates', () => {
    const text = readFileSync(DOCUMENT, 'utf8');
    expect(text).toContain(writeCapacity(capacityFor(MEASURED, ASSUMED, TARGET), TARGET, ASSUMED));
  });
});
