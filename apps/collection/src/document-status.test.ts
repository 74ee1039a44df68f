import { describe, expect, it } from '@jest/globals';
import { DOCUMENT_MOVES, fromContractStatus, LIVE_STATES, statesBefore, toContractStatus } from '#document-status';
import type { DocumentStatus } from '#gen/prisma/client';

const states = Object.keys(DOCUMENT_MOVES) as DocumentStatus[];
const legal = new Set([
  'pending>processing',
  'pending>failed',
  'pending>deleted',
  'processing>processing',
  'processing>indexed',
  'processing>failed',
  'processing>deleted',
  'indexed>processing',
  'indexed>failed',
  'indexed>deleted',
  'failed>pending',
  'failed>processing',
  'failed>failed',
  'failed>deleted',
]);

describe('document status', () => {
  it.each(states.flatMap((from) => states.map((to) => [from, to] as const)))('%s to %s is legal or not', (from, to) => {
    expect(statesBefore(to).includes(from)).toBe(legal.has(`${from}>${to}`));
  });

  it('can change to deleted from every other state', () => {
    expect(new Set(LIVE_STATES)).toEqual(new Set(states.filter((state) => state !== 'deleted')));
  });

  it('maps to the contract and back', () => {
    for (const state of states) expect(fromContractStatus(toContractStatus(state))).toBe(state);
  });
});
