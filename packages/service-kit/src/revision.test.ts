import { describe, expect, it } from '@jest/globals';
import { digestOf, requireRevision } from './revision.ts';

describe('digestOf', () => {
  it('is the same whatever the order of fields, and another for another value', () => {
    expect(digestOf({ a: 1, b: { c: [1, 2], d: null } })).toBe(digestOf({ b: { d: null, c: [1, 2] }, a: 1 }));
    expect(digestOf({ a: 1 })).not.toBe(digestOf({ a: 2 }));
    expect(digestOf({ a: [1, 2] })).not.toBe(digestOf({ a: [2, 1] }));
    expect(digestOf({ a: null })).not.toBe(digestOf({ a: '' }));
    expect(digestOf({})).toMatch(/^[\w-]{16}$/);
  });
});

describe('requireRevision', () => {
  it('accepts one of the revisions, and anything where none is asked for', () => {
    expect(() => requireRevision({ revisions: ['a', 'b'] }, 'b')).not.toThrow();
    expect(() => requireRevision(undefined, 'b')).not.toThrow();
  });

  it('refuses every other revision, and all where none is named', () => {
    const refusal = expect.objectContaining({ code: 'precondition_failed' });
    expect(() => requireRevision({ revisions: ['a'] }, 'b')).toThrow(refusal);
    expect(() => requireRevision({ revisions: [] }, 'b')).toThrow(refusal);
  });
});
