import { describe, expect, it } from '@jest/globals';
import { digestOf, requireRevision } from '#revision';

describe('digestOf', () => {
  it('ignores the order of fields and differs for different values', () => {
    expect(digestOf({ a: 1, b: { c: [1, 2], d: null } })).toBe(digestOf({ b: { d: null, c: [1, 2] }, a: 1 }));
    expect(digestOf({ a: 1 })).not.toBe(digestOf({ a: 2 }));
    expect(digestOf({ a: [1, 2] })).not.toBe(digestOf({ a: [2, 1] }));
    expect(digestOf({ a: null })).not.toBe(digestOf({ a: '' }));
    expect(digestOf({})).toMatch(/^[\w-]{16}$/);
  });
});

describe('requireRevision', () => {
  it('accepts one of the expected revisions, and anything without a precondition', () => {
    expect(() => requireRevision({ revisions: ['a', 'b'] }, 'b')).not.toThrow();
    expect(() => requireRevision(undefined, 'b')).not.toThrow();
  });

  it('rejects other revisions, and all if none is expected', () => {
    const refusal = expect.objectContaining({ code: 'precondition_failed' });
    expect(() => requireRevision({ revisions: ['a'] }, 'b')).toThrow(refusal);
    expect(() => requireRevision({ revisions: [] }, 'b')).toThrow(refusal);
  });
});
