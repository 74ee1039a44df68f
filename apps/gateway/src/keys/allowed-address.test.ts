import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { isAddressAllowed } from '#keys/allowed-address';

const byte = fc.nat(255);
const numberOf = (bytes: readonly number[]) => bytes.reduce((sum, part) => sum * 256 + part, 0);

describe('the allowed addresses of a key', () => {
  it('allow exactly the addresses that share the first bits with a range', () => {
    const bytes = fc.tuple(fc.constantFrom(10, 192), fc.nat(1), byte, byte);
    const ranges = fc.array(fc.tuple(bytes, fc.integer({ min: 0, max: 32 })), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(ranges, bytes, fc.boolean(), (list, tested, isMapped) => {
        const expected = list.some(([base, prefix]) => {
          const size = 2 ** (32 - prefix);
          return Math.floor(numberOf(base) / size) === Math.floor(numberOf(tested) / size);
        });
        const texts = list.map(([base, prefix]) => `${base.join('.')}/${prefix}`);
        const address = `${isMapped ? '::ffff:' : ''}${tested.join('.')}`;
        expect(isAddressAllowed(texts, address)).toBe(expected);
      }),
      { numRuns: 1_000 },
    );
  });

  it.each([
    [[], '203.0.113.7', true],
    [['203.0.113.7'], '203.0.113.7', true],
    [['203.0.113.7'], '203.0.113.8', false],
    [['203.0.113.7'], '::ffff:cb00:7107', true],
    [['2001:db8::/32'], '2001:db8:1::5', true],
    [['2001:db8::/32'], '2001:db9::5', false],
    [['::/0'], '203.0.113.7', false],
    [['0.0.0.0/0'], '2001:db8::1', false],
    [['203.0.113.7'], '', false],
    [['203.0.113.7'], 'unknown', false],
  ])('of %j allow %s: %s', (ranges, address, isAllowed) => expect(isAddressAllowed(ranges, address)).toBe(isAllowed));
});
