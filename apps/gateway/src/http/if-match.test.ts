import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { etagOf, hasCurrent, readIfMatch } from '#http/if-match';

const RECORD = { id: 'col_1', name: 'Handbook' };
const ETAG = etagOf(RECORD, 'aaaaaaaaaaaaaaaa');

const space = fc.stringMatching(/^[ \t]{0,3}$/);
const issuedTags = fc.stringMatching(/^[\w-]{16}\.[\w-]{16}$/);
const tag = fc.record({
  isWeak: fc.boolean(),
  value: fc.oneof(issuedTags, fc.stringMatching(/^[\x21\x23-\x7e]{0,12}$/)),
});
/** A list of tags as the grammar allows it (RFC 9110, 5.6.1 and 8.8.3). */
const list = fc
  .array(fc.tuple(tag, space, fc.stringMatching(/^(,[ \t]?){0,2}$/), space), { minLength: 1, maxLength: 5 })
  .map((items) => ({
    tags: items.map(([one]) => one),
    text: items
      .map(([{ isWeak, value }, before, empty, after]) => `${before}${empty}${isWeak ? 'W/' : ''}"${value}"${after}`)
      .join(','),
  }));

describe('readIfMatch', () => {
  it('parses every list that the grammar allows, and returns its strong tags in the format of Lectern', () => {
    fc.assert(
      fc.property(list, ({ tags, text }) => {
        const strong = tags.filter(({ isWeak, value }) => !isWeak && /^[\w-]{16}\.[\w-]{16}$/.test(value));
        expect(readIfMatch({ 'if-match': text })).toEqual({
          tags: strong.map(({ value }) => `"${value}"`),
          revisions: strong.map(({ value }) => value.slice(0, 16)),
        });
      }),
    );
  });

  it('returns a condition, none, or an error that names the header for any text', () => {
    const expected = { code: 'invalid_request', details: { issues: [{ path: 'If-Match' }] } };
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('"', 'W', '/', ',', ' ', '*', 'a', '.', '\t') }), (text) => {
        try {
          const read = readIfMatch({ 'if-match': text });
          if (read === undefined) expect(text.trim()).toBe('*');
        } catch (error) {
          expect(error).toMatchObject(expected);
        }
      }),
    );
  });

  it('rejects a long malformed list in linear time', () => {
    for (const text of ['"a",'.repeat(4_000), ' '.repeat(16_000), '"'.repeat(16_000), ', '.repeat(8_000)]) {
      const read = () => readIfMatch({ 'if-match': `${text}x` });
      expect(read).toThrow(expect.objectContaining({ code: 'invalid_request' }));
    }
  });
});

describe('an ETag', () => {
  it('changes with the revision and with the shown values, not with the order of fields', () => {
    expect(etagOf({ name: 'Handbook', id: 'col_1' }, 'aaaaaaaaaaaaaaaa')).toBe(ETAG);
    expect(etagOf({ ...RECORD, name: 'Other' }, 'aaaaaaaaaaaaaaaa')).not.toBe(ETAG);
    expect(etagOf(RECORD, 'aaaaaaaaaaaaaaab')).not.toBe(ETAG);
    expect(readIfMatch({ 'if-match': ETAG })).toEqual({ tags: [ETAG], revisions: ['aaaaaaaaaaaaaaaa'] });
  });

  it('matches a request that names it alone, in a list, as weak, or as any', () => {
    for (const text of [ETAG, `"x", ${ETAG}`, `W/${ETAG}`, '*']) {
      expect({ text, known: hasCurrent({ 'if-none-match': text }, ETAG) }).toEqual({ text, known: true });
    }
    for (const text of ['"x"', ETAG.slice(1), 'nonsense', '', `${ETAG} x`]) {
      expect({ text, known: hasCurrent({ 'if-none-match': text }, ETAG) }).toEqual({ text, known: false });
    }
    expect(hasCurrent({}, ETAG)).toBe(false);
  });
});
