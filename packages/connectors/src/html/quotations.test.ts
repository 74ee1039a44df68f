import { describe, expect, it } from '@jest/globals';
import { runCount } from '@lectern/testing';
import fc from 'fast-check';
import { cleanHtml, escapeHtml } from '#html/clean-html';
import { createEarlierText, plainBlocks, quotationMarks, readMarkedHtml, writeHtml } from '#html/quotations';

const fragments = fc.array(
  fc.oneof(
    fc.constantFrom(
      ...['<blockquote>', '</blockquote>', '<div class="gmail_quote">', '<div id="appendonsend">', '</div>', '<p>'],
      ...['<div class="gmail_attr">', '<td>', '<br>', '<b>', '</b>', '<div style="display:none">', '\uFDD0', '\uFDD1'],
      ...['> quoted', '\n', '\r\n', 'On May 6, Ada wrote:\n', '<', '&', '<script>', '<!--', '-->'],
    ),
    fc.string({ maxLength: 10 }),
  ),
  { maxLength: 20 },
);

const markedOf = (html: string) => readMarkedHtml(cleanHtml(html, { marksAround: quotationMarks }));
/** Returns a message without what earlier ones contain. */
const htmlOf = (earlier: readonly string[], html: string): string => {
  const texts = createEarlierText();
  for (const text of earlier) texts.add(text);
  const marked = markedOf(html);
  return writeHtml(marked, texts.kept(marked.blocks));
};
const plainOf = (earlier: readonly string[], plain: string): string => {
  const texts = createEarlierText();
  for (const text of earlier) texts.add(text);
  const blocks = plainBlocks(plain);
  const kept = texts.kept(blocks);
  return blocks.flatMap(({ text }, at) => (kept[at] ? [text] : [])).join('\n');
};
const wordsIn = (text: string): readonly string[] => text.match(/[a-z]+\d+/g) ?? [];

describe('quotations', () => {
  it('lose nothing if no earlier message contains them', () => {
    fc.assert(
      fc.property(fragments, (parts) => {
        const text = parts.join('');
        const visible = cleanHtml(text);
        expect(htmlOf([], text)).toBe(visible.replace(/<[^>]*>/g, '').trim() === '' ? '' : visible);
        expect(plainOf([], text)).toBe(text.split(/\r\n|\r|\n/).join('\n'));
      }),
      { numRuns: runCount({ quick: 1_000, full: 20_000 }) },
    );
  });

  it('are left out only if each of their words is in earlier messages in the same order', () => {
    const earlier = ['We can deliver four hundred lamps in the second week of June. Yes.'];
    const repeats = (quotation: string) => plainOf(earlier, quotation).trim() === '';
    expect(
      repeats(
        'On May 6, 2026, Ada <ada@example.com> wrote:\n\n> We can deliver four hundred\n> lamps in the second week',
      ),
    ).toBe(true);
    expect(repeats('> From: Ada <ada@example.com>\n> Subject: Lamps\n> We can deliver four hundred lamps')).toBe(true);
    expect(repeats('> yes')).toBe(true);
    expect(repeats('> no')).toBe(false);
    expect(repeats('> We can deliver five hundred lamps in the second week of June.')).toBe(false);
    expect(repeats('> June of week second the in lamps hundred four deliver can we')).toBe(false);
  });

  it('keep a sentence above them that ends with a colon', () => {
    const earlier = ['We ask for four hundred lamps in June.'];
    for (const sentence of ['We pay 4500 EUR, not more:', 'Meet me at 9:30 on May 6:', 'Write to ada@example.com:']) {
      expect(plainOf(earlier, `${sentence}\n\n> We ask for four hundred lamps in June.`).trim()).toBe(sentence);
    }
  });

  it('keep the answers inside them, with what they hide', () => {
    const earlier = ['Can you deliver four hundred lamps? When will they arrive? Is the price final?'];
    const html = htmlOf(
      earlier,
      '<div class="gmail_quote"><div class="gmail_attr">Ada wrote:</div><blockquote><p>Can you deliver four hundred lamps?</p><p><b>Yes.</b></p>When will they arrive?<br>In the second week.<ul><li>Is the price final?</li><li>No</li></ul></blockquote></div>',
    );
    expect(html).toBe('<div><blockquote><p><b>Yes.</b></p>In the second week.<ul><li>No</li></ul></blockquote></div>');
    expect(htmlOf(earlier, '<div style="display:none">a<blockquote>hidden</blockquote>b</div>c')).toBe('c');
  });

  it('keep all original words wherever they are, and no repeated block', () => {
    const block = fc.record({
      isNew: fc.boolean(),
      length: fc.integer({ min: 1, max: 8 }),
      from: fc.nat(30),
      shape: fc.constantFrom('p', 'br', 'li', 'td', 'b'),
    });
    const container = fc.constantFrom(
      ...['<blockquote>*</blockquote>', '<div class="gmail_quote"><div class="gmail_attr">A:</div>*</div>'],
      ...['<div id="appendonsend"></div>*', '<div class="yahoo_quoted"><blockquote>*</blockquote></div>'],
    );
    fc.assert(
      fc.property(fc.array(block, { minLength: 1, maxLength: 12 }), container, (blocks, around) => {
        const old = Array.from({ length: 40 }, (_, n) => `old${n}`);
        let count = 0;
        const texts = blocks.map(({ isNew, length, from }) =>
          isNew
            ? Array.from({ length }, () => {
                count += 1;
                return `new${count}`;
              })
            : old.slice(from, from + Math.max(length, 3)),
        );
        const body = texts.map((words, n) => {
          const text = escapeHtml(words.join(' '));
          const shape = blocks[n]!.shape;
          if (shape === 'br') return `${text}<br>`;
          return shape === 'td' ? `<table><tr><td>${text}</td></tr></table>` : `<p><${shape}>${text}</${shape}></p>`;
        });
        const html = htmlOf([old.join(' ')], `<p>top0</p>${around.replace('*', () => body.join(''))}<p>end0</p>`);
        const written = wordsIn(html.replaceAll(/<[^>]*>/g, ' '));
        const originals = texts.flatMap((words, n) => (blocks[n]!.isNew ? words : []));
        expect(written.filter((word) => !word.startsWith('old'))).toEqual(['top0', ...originals, 'end0']);
        const tags = [...html.matchAll(/<(\/?)([a-z]+)>/g)].filter(([, , name]) => name !== 'br');
        const open: string[] = [];
        for (const [, slash, name] of tags) {
          if (slash === '') open.push(name!);
          else expect(open.pop()).toBe(name);
        }
        expect(open).toEqual([]);
        expect(written.filter((word) => word.startsWith('old'))).toEqual([]);
        const plain = texts.map((words, n) => (blocks[n]!.isNew ? '' : '> ') + words.join(' ')).join('\n');
        expect(wordsIn(plainOf([old.join(' ')], plain))).toEqual(originals);
      }),
      { numRuns: runCount({ quick: 500, full: 5_000 }) },
    );
  });
});
