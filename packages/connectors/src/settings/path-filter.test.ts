import { describe, expect, it } from '@jest/globals';
import { timeLimit } from '@lectern/testing';
import { createPathFilter } from '#settings/path-filter';

const PATHS = ['README.md', 'docs/a.md', 'docs/sub/b.md', 'docs2/c.md', 'src/x.ts', 'src/x.test.ts', 'src/deep/y.ts'];
const matching = (...patterns: string[]) => PATHS.filter(createPathFilter(patterns));

describe('createPathFilter', () => {
  it.each([
    [[], PATHS],
    [['docs'], ['docs/a.md', 'docs/sub/b.md']],
    [['/docs/'], ['docs/a.md', 'docs/sub/b.md']],
    [['README.md'], ['README.md']],
    [['*.md'], ['README.md', 'docs/a.md', 'docs/sub/b.md', 'docs2/c.md']],
    [['/*.md'], ['README.md']],
    [['docs/*.md'], ['docs/a.md']],
    [['docs/**'], ['docs/a.md', 'docs/sub/b.md']],
    [['docs/**/*.md'], ['docs/a.md', 'docs/sub/b.md']],
    [['**/b.md'], ['docs/sub/b.md']],
    [['docs*/'], ['docs/a.md', 'docs/sub/b.md', 'docs2/c.md']],
    [['src/?.{ts,js}'], ['src/x.ts']],
    [
      ['{docs,src}/**', '!**/*.test.ts', '!docs/sub'],
      ['docs/a.md', 'src/x.ts', 'src/deep/y.ts'],
    ],
    [['!src'], ['README.md', 'docs/a.md', 'docs/sub/b.md', 'docs2/c.md']],
    [['none'], []],
  ])('%j', (patterns, expected) => {
    expect(matching(...patterns)).toEqual(expected);
  });

  it('is fast for a hostile pattern', () => {
    const hostile = createPathFilter([`${'*a'.repeat(120)}b`, `${'**/'.repeat(100)}b`, '{a,b}'.repeat(60)]);
    const before = performance.now();
    expect(hostile(`${'a'.repeat(2_000)}/${'a/'.repeat(500)}`)).toBe(false);
    expect(performance.now() - before).toBeLessThan(timeLimit(2_000));
  });
});
