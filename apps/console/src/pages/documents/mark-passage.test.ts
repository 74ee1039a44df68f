import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Nodes, Root } from 'mdast';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { markPassage } from '#pages/documents/mark-passage.ts';

const textOf = (node: Nodes): string =>
  'children' in node ? node.children.map(textOf).join('') : 'value' in node ? node.value : '';

/** Returns the marked texts, and all text. */
function mark(source: string, quote: string, from = source.indexOf(quote)) {
  const processor = unified()
    .use(remarkParse)
    .use(remarkGfm)
    .use(markPassage({ from, to: from + quote.length }));
  const tree = processor.runSync(processor.parse(source)) as Root;
  const marks: string[] = [];
  const collect = (node: Nodes): void => {
    const isMark = node.data !== undefined && 'hName' in node.data;
    if (isMark) marks.push(textOf(node));
    else if ('children' in node) node.children.forEach(collect);
  };
  collect(tree);
  return { marks, text: textOf(tree) };
}

describe('markPassage', () => {
  it('marks a passage across blocks and in formatted text', () => {
    const source = '# Leave\n\nThirty **paid** days, and `more`.\n\n| A | B |\n|---|---|\n| one | two |\n\nEnd.';
    expect(mark(source, 'Leave\n\nThirty **paid** days').marks).toEqual(['Leave', 'Thirty ', 'paid', ' days']);
    expect(mark(source, 'more`.\n\n| A | B |\n|---|---|\n| one').marks).toEqual(['more', '.', 'A', 'B', 'one']);
    expect(mark('Text\n\n```ts\nlet a;\n```', 'let a;').marks).toEqual(['let a;']);
  });

  it('keeps the text of a document, whatever is marked', () => {
    const piece = fc.constantFrom(
      'word ',
      '**bold** ',
      '\n\n',
      '- ',
      '> ',
      '`code` ',
      '\\*',
      '&amp;',
      '| a | b |\n',
      '# ',
      '    ',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), fc.nat(80), fc.nat(80), (pieces, from, length) => {
        const source = pieces.join('');
        const { text } = mark(source, source.slice(from, from + length), from);
        expect(text).toBe(mark(source, '', 0).text);
      }),
    );
  });
});
