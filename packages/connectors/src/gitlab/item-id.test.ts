import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type ItemName, idIn, itemId, PROJECT_PATH, parseItemId } from '#gitlab/item-id';

const segment = fc.stringMatching(/^\.?[A-Za-z0-9_][A-Za-z0-9_.-]{0,10}$/);
const project = fc.array(segment, { minLength: 2, maxLength: 5 }).map((segments) => segments.join('/'));
const text = fc.oneof(
  fc.string({ minLength: 1 }),
  fc.constantFrom('-/wikis/home', '#1', '!1', ':', 'a/-/issues/1', '../..', 'ü b.md'),
);
const number = fc.integer({ min: 1, max: 9_999_999_999 });
const names: fc.Arbitrary<ItemName> = fc.oneof(
  fc.record({ project, part: fc.constant('repository'), path: text } as const),
  fc.record({ project, part: fc.constantFrom('issues', 'merge_requests'), number } as const),
  fc.record({ project, part: fc.constant('wiki'), slug: text } as const),
);

describe('the id of an item', () => {
  it('can be parsed', () => {
    fc.assert(fc.property(names, (name) => expect(parseItemId(itemId(name))).toEqual(name)));
  });

  it('belongs to one item only', () => {
    fc.assert(
      fc.property(names, names, (a, b) => {
        fc.pre(JSON.stringify(a) !== JSON.stringify(b));
        expect(itemId(a)).not.toBe(itemId(b));
      }),
    );
  });

  it('is undefined for other text, and never names a malformed project', () => {
    for (const id of [
      '',
      'acme',
      'acme/docs',
      'acme/docs#',
      'acme/docs#0',
      'acme/docs#1a',
      'acme/docs!',
      'acme/docs:',
    ]) {
      expect(parseItemId(id)).toBeUndefined();
    }
    for (const id of ['a/..:x', '../b#1', 'a/./b:x', 'acme/docs/-/wikis/', 'acme/docs/-/issues/1', '/acme/docs#1']) {
      expect(parseItemId(id)).toBeUndefined();
    }
    fc.assert(
      fc.property(fc.string(), (id) => {
        const found = parseItemId(id)?.project;
        expect(found === undefined || PROJECT_PATH.test(found)).toBe(true);
      }),
    );
  });

  it.each([
    ['https://gitlab.example.com/acme/docs/-/issues/12', 'acme/docs#12'],
    ['https://gitlab.example.com/acme/docs/-/work_items/12#note_7', 'acme/docs#12'],
    ['https://gitlab.example.com/acme/a/docs/-/merge_requests/3/diffs?view=inline', 'acme/a/docs!3'],
    ['https://example.com/gitlab/acme/docs/-/issues/12', 'acme/docs#12'],
    ['https://gitlab.example.com/acme/docs/-/wikis/guide/first%20steps', 'acme/docs/-/wikis/guide/first steps'],
    ['https://gitlab.example.com/acme/docs/-/wikis/100%', 'acme/docs/-/wikis/100%'],
    [' acme/docs:docs/a.md', 'acme/docs:docs/a.md'],
    ['acme/docs:https://x/-/issues/1', 'acme/docs:https://x/-/issues/1'],
  ])('is in the address %s', (address, id) => {
    expect(idIn(address, 'https://example.com/gitlab')).toBe(id);
  });
});
