import { describe, expect, it } from '@jest/globals';
import { hashTerm } from '#hash-term';

describe('hashTerm', () => {
  it('returns the published MurmurHash3 x86 32-bit values', () => {
    expect(hashTerm('')).toBe(0);
    expect(hashTerm('', 1)).toBe(0x514e28b7);
    expect(hashTerm('test')).toBe(0xba6bd213);
    expect(hashTerm('Hello, world!', 0x9747b28c)).toBe(0x24884cba);
    expect(hashTerm('The quick brown fox jumps over the lazy dog', 0x9747b28c)).toBe(0x2fa826cd);
    expect(hashTerm('ππππππππ', 0x9747b28c)).toBe(0xd58063c1);
  });

  it('accepts terms longer than its buffer', () => {
    expect(hashTerm('x'.repeat(5_000))).toBe(hashTerm('x'.repeat(5_000)));
    expect(hashTerm('x'.repeat(5_000))).not.toBe(hashTerm('x'.repeat(5_001)));
  });
});
