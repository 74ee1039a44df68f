import { BlockList } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { containsRange, formatIpRange, type IpRange, parseIpRange } from '#ip-ranges';

const parse = (text: string): IpRange => {
  const range = parseIpRange(text);
  if (range === undefined) throw new Error(`${text} is not a range`);
  return range;
};

const familyOf = (text: string) => (text.includes(':') ? 'ipv6' : 'ipv4');

/** Addresses that are close to each other, so that ranges often contain them. */
const address = fc.oneof(
  fc.tuple(fc.constantFrom(10, 172, 192), fc.nat(3), fc.nat(255), fc.nat(255)).map((bytes) => bytes.join('.')),
  fc.ipV4(),
  fc
    .tuple(fc.constantFrom('2001:db8', 'fe80'), fc.nat(0xffff), fc.nat(0xffff))
    .map(([start, a, b]) => `${start}::${a.toString(16)}:${b.toString(16)}`),
  fc.ipV6().filter((text) => !text.includes('.')),
);
const range = address.chain((text) =>
  fc.integer({ min: 0, max: text.includes(':') ? 128 : 32 }).map((prefix) => ({ text, prefix })),
);

describe('IP ranges', () => {
  it('contain the same addresses as those of Node.js', () => {
    fc.assert(
      fc.property(range, address, ({ text, prefix }, tested) => {
        // Node.js compares IPv4 addresses in IPv6 notation with IPv4 ranges too; here they become IPv4.
        fc.pre(!/^::ffff:/i.test(text) && !/^::ffff:/i.test(tested));
        const list = new BlockList();
        list.addSubnet(text, prefix, familyOf(text));
        const contained = containsRange(parse(`${text}/${prefix}`), parse(tested));
        expect(contained).toBe(familyOf(text) === familyOf(tested) && list.check(tested, familyOf(tested)));
      }),
      { numRuns: 2_000 },
    );
  });

  it('contain another range exactly if they contain its first and its last address', () => {
    fc.assert(
      fc.property(range, range, (a, b) => {
        const outer = parse(`${a.text}/${a.prefix}`);
        const inner = parse(`${b.text}/${b.prefix}`);
        const bits = inner.version === 4 ? 32 : 128;
        const last = inner.base + (1n << BigInt(bits - inner.prefix)) - 1n;
        const has = (base: bigint) => containsRange(outer, { version: inner.version, base, prefix: bits });
        expect(containsRange(outer, inner)).toBe(has(inner.base) && has(last));
      }),
    );
  });

  it('are the same after they are formatted', () => {
    fc.assert(
      fc.property(range, ({ text, prefix }) => {
        const parsed = parse(`${text}/${prefix}`);
        expect(parse(formatIpRange(parsed))).toEqual(parsed);
      }),
    );
  });

  it.each([
    ['10.1.2.3/8', '10.0.0.0/8'],
    ['203.0.113.7', '203.0.113.7'],
    ['203.0.113.7/32', '203.0.113.7'],
    ['0.0.0.0/0', '0.0.0.0/0'],
    ['::/0', '::/0'],
    ['2001:DB8:0:0::1/32', '2001:db8::/32'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:c000:0201/104', '192.0.0.0/8'],
    ['::ffff:0:0/96', '0.0.0.0/0'],
  ])('normalize %s to %s', (text, normal) => expect(formatIpRange(parse(text))).toBe(normal));

  it.each([
    '',
    'example.com',
    '10.0.0',
    '10.0.0.256',
    '010.0.0.1',
    '0x0a.0.0.1',
    '10.0.0.0/33',
    '10.0.0.0/-1',
    '10.0.0.0/08',
    '10.0.0.0/8/8',
    '10.0.0.0/',
    '2001:db8::/129',
    '2001:db8:::1',
    'fe80::1%eth0',
    '[::1]',
    '1.2.3.4.',
    '::1]/x[',
  ])('reject %j', (text) => expect(parseIpRange(text)).toBeUndefined());
});
