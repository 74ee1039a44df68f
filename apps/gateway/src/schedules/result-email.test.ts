import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { safeHtml } from '#mail/safe-html';
import { resultMarkdown } from '#schedules/result-text';

const HOSTILE = [
  '<script>',
  '<img src=x onerror=alert(1)>',
  '<a href="x">',
  '![',
  '](',
  '[',
  ')',
  'javascript:alert(1)',
  'data:text/html,x',
  'https://evil.example/pixel.png',
  '<https://example.com>',
  '&#60;img&#62;',
  '"',
  "'",
  '`',
  '\n',
  '\n\n',
  '| a |\n|---|\n| <img> |\n',
  '[x]: javascript:alert(1)\n',
  '[^1]: <img>\n',
  '[^1]',
  '\\',
  'ü',
];
const hostile = fc.oneof(
  fc.array(fc.constantFrom(...HOSTILE), { maxLength: 30 }).map((parts) => parts.join('')),
  fc.string({ unit: 'binary', maxLength: 200 }),
);

/** The tags of a text, with their attributes. */
const tagsOf = (html: string) => html.match(/<[a-z][^>]*>/gi) ?? [];

describe('email', () => {
  it('contains no images, scripts and handlers, whatever a model or a document wrote', () => {
    fc.assert(
      fc.property(hostile, hostile, hostile, (content, title, url) => {
        const sources = [{ id: 'doc', title, url, excerpt: '' }];
        const tags = tagsOf(safeHtml(resultMarkdown({ content, sources })));
        for (const tag of tags) {
          expect(tag).not.toMatch(/^<(?:img|script|iframe|object|embed|style|link|meta|form|svg)\b/i);
          expect(tag).not.toMatch(/\son\w+=/i);
          expect(tag.match(/href="([a-z]+):/i)?.[1] ?? 'https').toMatch(/^(?:https?|mailto|ircs?|xmpp)$/i);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('keeps the structure of an answer and the links of its sources', () => {
    const sources = [{ id: 'doc', title: 'Leave [2026]', url: 'https://example.com/leave', excerpt: '' }];
    const html = safeHtml(resultMarkdown({ content: '**30 days** [1]\n\n- a\n- b', sources }));
    expect(html).toContain('<strong>30 days</strong> [1]');
    expect(html).toContain('<li>a</li>');
    expect(html).toContain('<a href="https://example.com/leave">Leave [2026]</a>');
  });
});
