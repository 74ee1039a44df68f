import { describe, expect, it } from '@jest/globals';
import { runCount } from '@lectern/testing';
import fc from 'fast-check';
import { readLogo } from '#branding/logo';

const read = (attribute: string) => {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><use ${attribute}/></svg>`;
  return readLogo(Buffer.from(svg).toString('base64')).type;
};

const space = fc.constantFrom('', ' ', '  ', '\n', '\t ');
const quote = fc.constantFrom('"', "'");
const name = fc.constantFrom('href', 'xlink:href', 'HREF');
const id = fc.stringMatching(/^[a-z][a-z0-9_-]{0,8}$/);

/** Writes a URL as a link, or as a paint with or without quotes. */
const attribute = (url: fc.Arbitrary<string>) =>
  fc.oneof(
    fc
      .tuple(name, space, space, quote, space, url)
      .map(([key, a, b, q, c, value]) => `${key}${a}=${b}${q}${c}${value}${q}`),
    fc
      .tuple(fc.constantFrom('fill', 'style'), fc.constantFrom('', "'"), space, space, url)
      .map(([key, q, a, b, value]) => `${key}="${key === 'style' ? 'fill:' : ''}url(${a}${q}${b}${value}${q}${b})"`),
  );
const runs = { numRuns: runCount({ quick: 300, full: 5_000 }) };

describe('an SVG', () => {
  it('can refer to its own parts, with any quotes and spaces', () => {
    const own = attribute(id.map((part) => `#${part}`));
    fc.assert(
      fc.property(own, (text) => expect(read(text)).toBe('image/svg+xml')),
      { ...runs, examples: [[`fill='url("#a")'`], [`fill="url('#a')"`], ['fill="url( #a)"'], ['href= "#a"']] },
    );
  });

  it('cannot refer to anything else', () => {
    const hosts = ['https://evil.example/', '//evil.example/', '/', './', 'data:text/html,', 'file:///', '&#104;ttp:'];
    const other = attribute(fc.tuple(fc.constantFrom(...hosts), id).map(([host, part]) => `${host}${part}#${part}`));
    fc.assert(
      fc.property(other, (text) => expect(() => read(text)).toThrow(/links/)),
      runs,
    );
  });
});
