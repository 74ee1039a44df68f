import { describe, expect, it } from '@jest/globals';
import { measureMemory } from '#probes/memory';
import { descendants, parseProcessTable } from '#probes/process-table';

describe('descendants', () => {
  it('returns a process and all descendants for any order of the table', () => {
    const table = parseProcessTable('   40    20  100\n   30    10    5\n   10     1  200\n   20    10  300\n');
    expect(descendants(table, 10).map(({ pid }) => pid)).toEqual([40, 30, 10, 20]);
    expect(descendants(table, 20).map(({ rssBytes }) => rssBytes)).toEqual([100 * 1024, 300 * 1024]);
    expect(descendants(table, 99)).toEqual([]);
  });
});

describe('measureMemory', () => {
  it('measures a running process, and nothing for a missing one', async () => {
    const { self, missing } = await measureMemory({ self: process.pid, missing: 2 ** 30 });
    expect(self?.processes).toBeGreaterThanOrEqual(1);
    expect(self?.rssBytes).toBeGreaterThan(10 * 1024 * 1024);
    expect(missing).toEqual({ processes: 0, rssBytes: 0, pssBytes: undefined });
  });
});
