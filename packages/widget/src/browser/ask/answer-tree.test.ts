import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type AnswerNode, parseAnswer, TAGS } from '#browser/ask/answer-tree';

const textOf = (nodes: readonly AnswerNode[]): string =>
  nodes
    .map((node) => (typeof node === 'string' ? node : 'source' in node ? `<${node.source}>` : textOf(node.children)))
    .join('');

function* elementsOf(nodes: readonly AnswerNode[], depth = 1): Generator<{ node: AnswerNode; depth: number }> {
  for (const node of nodes) {
    yield { node, depth };
    if (typeof node === 'object' && 'children' in node) yield* elementsOf(node.children, depth + 1);
  }
}

const MARKS = ['**', '_', '`', '```\n', '> ', '- ', '1. ', '# ', '\n', '\n\n', '\r\n', '    ', '\\', '---'];
const LINKS = ['[', ']', '(', ')', '![', '](', '<', '>', '[1]', '[2]', '[999]', '[1]: https://example.com/'];
const HOSTILE = [
  '&amp;',
  '&#60;',
  '&bogus;',
  '<img src=x onerror=alert(1)>',
  '<script>alert(1)</script>',
  'javascript:alert(1)',
  'data:text/html,x',
  'https://example.com/',
];

/** Text with many marks, schemes and nested structures. */
const markdown = fc
  .array(fc.oneof(fc.constantFrom(...MARKS, ...LINKS, ...HOSTILE), fc.string({ unit: 'grapheme', maxLength: 6 })), {
    maxLength: 60,
  })
  .map((parts) => parts.join(''));

describe('parseAnswer', () => {
  it('parses paragraphs, lists, emphasis and code', () => {
    expect(parseAnswer('# Leave\n\n**Thirty** *days*:\n\n3. `a`\n\n```js\nb\n```', 0)).toEqual([
      { tag: 'p', children: [{ tag: 'strong', children: ['Leave'] }] },
      { tag: 'p', children: [{ tag: 'strong', children: ['Thirty'] }, ' ', { tag: 'em', children: ['days'] }, ':'] },
      {
        tag: 'ol',
        start: 3,
        children: [{ tag: 'li', children: [{ tag: 'p', children: [{ tag: 'code', children: ['a'] }] }] }],
      },
      { tag: 'pre', children: [{ tag: 'code', children: ['b'] }] },
    ]);
  });

  it('makes markers with a source citations, except in code and links', () => {
    const text = 'Yes [1][3] `[1]` [a \\[1\\]](https://example.com/)\n\n[1]: https://example.com/';
    expect(parseAnswer(text, 2)).toEqual([
      {
        tag: 'p',
        children: [
          'Yes ',
          { source: 1 },
          '[3]',
          ' ',
          { tag: 'code', children: ['[1]'] },
          ' ',
          { tag: 'a', href: 'https://example.com/', children: ['a ', '[1]'] },
        ],
      },
      { tag: 'p', children: [{ source: 1 }, ': https://example.com/'] },
    ]);
  });

  it('keeps HTML, images and links with other schemes as text', () => {
    const hostile = '<img src=x onerror=alert(1)> ![alt](https://example.com/x.png) [go](javascript:alert(1))';
    const nodes = parseAnswer(hostile, 0);
    expect(textOf(nodes)).toBe('<img src=x onerror=alert(1)> alt go');
    expect([...elementsOf(nodes)].filter(({ node }) => typeof node === 'object' && 'href' in node)).toEqual([]);
  });

  it('limits the depth of nested content', () => {
    const nodes = parseAnswer(`${'> '.repeat(2_000)}deep`, 0);
    expect(Math.max(...[...elementsOf(nodes)].map(({ depth }) => depth))).toBeLessThan(30);
    expect(textOf(nodes)).toContain('deep');
  });

  it('returns only known elements, web links and existing sources for any text', () => {
    fc.assert(
      fc.property(markdown, fc.nat({ max: 3 }), (text, sourceCount) => {
        for (const { node } of elementsOf(parseAnswer(text, sourceCount))) {
          if (typeof node === 'string') continue;
          if ('source' in node) {
            expect(node.source).toBeGreaterThanOrEqual(1);
            expect(node.source).toBeLessThanOrEqual(sourceCount);
            continue;
          }
          expect(TAGS).toContain(node.tag);
          expect(node.href ?? 'https://').toMatch(/^https?:/i);
          expect(node.href === undefined).toBe(node.tag !== 'a');
        }
      }),
    );
  });

  it('loses no word of a plain text', () => {
    const words = fc.array(fc.stringMatching(/^[a-z]{1,8}$/), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(words, (list) => {
        expect(textOf(parseAnswer(list.join(' '), 3))).toBe(list.join(' '));
      }),
    );
  });
});
