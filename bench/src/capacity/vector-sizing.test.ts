import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { SETUPS, vectorSizing, writeVectorSizing } from '#capacity/vector-sizing';

const DOCUMENT = fileURLToPath(new URL('../../../docs/capacity.md', import.meta.url));

describe('vectorSizing', () => {
  it('follows the formula of docs/capacity.md', () => {
    const inMemory = { name: '', dimensions: 100, isOnDisk: false };
    expect(vectorSizing(inMemory, 1e6).memoryGb).toBeCloseTo((2 * (100 * 4 * 1.5 + 130 * 12 + 300)) / 1e3);
    const quantized = { name: '', dimensions: 1_000, isOnDisk: true };
    expect(vectorSizing(quantized, 1e6).memoryGb).toBeCloseTo((2 * (1_000 * 1.5 + 300)) / 1e3);
  });

  it.each(SETUPS)('grows with the passages, and nodes have the memory: $name', (setup) => {
    for (const passages of [1, 1e3, 5e6, 4e7, 1e9]) {
      const { memoryGb, diskGb, nodes } = vectorSizing(setup, passages);
      expect(nodes * 64 * 0.7).toBeGreaterThanOrEqual(memoryGb);
      expect(diskGb).toBeGreaterThan(memoryGb);
      expect(vectorSizing(setup, passages * 2).diskGb).toBeCloseTo(diskGb * 2);
    }
  });
});

describe('docs/capacity.md', () => {
  it('contains the sizes of clusters of Qdrant', () => {
    expect(readFileSync(DOCUMENT, 'utf8')).toContain(writeVectorSizing());
  });
});
