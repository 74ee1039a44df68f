import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { CALL_TOKEN_KEY, refusalOf, signCall } from '#grpc/call-token';
import { readInternalKeys } from '#grpc/internal-keys';

const OLD = 'the-key-before-0123456789-abcdefgh';
const NEW = 'the-key-of-now-9876543210-hgfedcba';
const keys = readInternalKeys(NEW);
const PATH = '/lectern.search.v1.SearchService/Search';

type Entries = [string, (string | Uint8Array)[]][];

const bytes = fc.uint8Array({ minLength: 1, maxLength: 40 });
const entriesArbitrary: fc.Arbitrary<Entries> = fc.uniqueArray(
  fc.tuple(
    fc.stringMatching(/^lectern-[a-z]{1,8}-x$/).map((name) => `${name}-bin`),
    fc.array(bytes, { minLength: 1, maxLength: 3 }),
  ),
  { minLength: 1, maxLength: 4, selector: ([name]) => name },
);
const pathArbitrary = fc.stringMatching(/^\/lectern\.[a-z]{1,8}\.v1\.[A-Z][a-z]{1,8}\/[A-Z][a-z]{1,8}$/);

const withToken = (entries: Entries, path = PATH, now?: number): Entries => [
  ...entries,
  [CALL_TOKEN_KEY, [signCall(keys, path, entries, now)]],
];
const flip = (value: Uint8Array, at: number, mask: number) =>
  Uint8Array.from(value, (byte, index) => (index === at % value.length ? byte ^ mask : byte));

describe('a call token', () => {
  it('is accepted for its method and metadata in any order', () => {
    fc.assert(
      fc.property(pathArbitrary, entriesArbitrary, (path, entries) => {
        const signed = withToken(entries, path);
        expect(refusalOf(keys, path, signed)).toBeUndefined();
        expect(refusalOf(keys, path, [...signed].reverse())).toBeUndefined();
        expect(refusalOf(keys, path, [...signed, ['traceparent', ['00-1']]])).toBeUndefined();
      }),
    );
  });

  it('is rejected if any bit of a covered value, the token or the method differs', () => {
    fc.assert(
      fc.property(
        pathArbitrary,
        entriesArbitrary,
        fc.nat(),
        fc.nat(),
        fc.nat(),
        fc.integer({ min: 0, max: 7 }),
        (path, entries, which, value, at, bit) => {
          const signed = withToken(entries, path);
          const entry = which % signed.length;
          const changed = signed.map(([name, values], index): Entries[number] => [
            name,
            index === entry
              ? values.map((one, number) =>
                  number === value % values.length && typeof one !== 'string' ? flip(one, at, 1 << bit) : one,
                )
              : values,
          ]);
          expect(refusalOf(keys, path, changed)).toBe('wrong_signature');
          const otherPath = Buffer.from(flip(Buffer.from(path), at, 1 << (bit % 7))).toString('latin1');
          expect(refusalOf(keys, otherPath, signed)).toBe('wrong_signature');
        },
      ),
      { numRuns: 500 },
    );
  });

  it('is rejected if a covered entry or value is added, removed, renamed, split, joined or moved', () => {
    fc.assert(
      fc.property(entriesArbitrary, bytes, fc.nat(), (entries, extra, which) => {
        const signed = withToken(entries);
        const at = which % entries.length;
        const [name, values] = entries[at]!;
        const replaced = (...now: Entries): Entries => signed.flatMap((entry, index) => (index === at ? now : [entry]));
        const first = Buffer.from(values[0] as Uint8Array);
        const changes: Entries[] = [
          replaced(),
          replaced([name, [...values, extra]]),
          replaced([name, values.slice(1)]),
          replaced([`${name}x`, values]),
          [...signed, ['lectern-unknown-bin', [extra]]],
          ...(first.length > 1
            ? [replaced([name, [first.subarray(0, 1), first.subarray(1), ...values.slice(1)]])]
            : []),
          ...(values.length > 1 ? [replaced([name, [Buffer.concat(values as Uint8Array[])]])] : []),
        ];
        for (const changed of changes) {
          const isSame = entries.some(([other]) => other === 'lectern-unknown-bin');
          if (!isSame) expect(refusalOf(keys, PATH, changed)).toBe('wrong_signature');
        }
      }),
    );
  });

  it('is rejected if it expired, comes from a clock far ahead, is missing or appears twice', () => {
    const entries: Entries = [['lectern-caller-bin', [Buffer.from('caller')]]];
    const now = 1_700_000_000_000;
    const signed = withToken(entries, PATH, now);
    expect(refusalOf(keys, PATH, signed, now + 30_000)).toBeUndefined();
    expect(refusalOf(keys, PATH, signed, now + 30_001)).toBe('expired');
    expect(refusalOf(keys, PATH, signed, now - 30_001)).toBe('expired');
    expect(refusalOf(keys, PATH, entries, now)).toBe('no_token');
    expect(refusalOf(keys, PATH, [...signed, ...signed.slice(1)], now)).toBe('malformed');
    for (const token of ['text', new Uint8Array(39), new Uint8Array(41), new Uint8Array(0)])
      expect(refusalOf(keys, PATH, [...entries, [CALL_TOKEN_KEY, [token]]], now)).toBe('malformed');
  });

  it('is accepted while its key is the current or the previous one', () => {
    const entries: Entries = [['lectern-caller-bin', [Buffer.from('caller')]]];
    const oldToken = signCall(readInternalKeys(OLD), PATH, entries);
    const signed: Entries = [...entries, [CALL_TOKEN_KEY, [oldToken]]];
    expect(refusalOf(readInternalKeys(`${NEW},${OLD}`), PATH, signed)).toBeUndefined();
    expect(refusalOf(keys, PATH, signed)).toBe('wrong_signature');
  });
});

describe('internal keys', () => {
  it('are rejected if they are missing, short, easy to guess or too many', () => {
    for (const [text, why] of [
      ['', /not set/],
      [' ', /not set/],
      ['short', /at least 32 characters/],
      ['a'.repeat(64), /easy to guess/],
      [`${NEW},short`, /at least 32 characters/],
      [`${NEW},`, /at least 32|must contain/],
      ['with space '.repeat(5), /without spaces/],
      [Array.from({ length: 6 }, () => NEW).join(','), /at most 5/],
    ] as const)
      expect(() => readInternalKeys(text)).toThrow(why);
  });

  it('never appear in the message', () => {
    expect(() => readInternalKeys('hunter2')).toThrow(expect.not.objectContaining({ message: /hunter2/ }));
  });
});
