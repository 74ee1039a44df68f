import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { escapeMrkdwn, linkTo, markdownToMrkdwn } from '#markdown-to-mrkdwn';
import { packText } from '#pack-text';

const convert = (markdown: string) => markdownToMrkdwn(markdown).join('\n\n');

/** Everything in angle brackets, and what remains. */
const references = (text: string) => text.match(/<[^<>]*>/g) ?? [];
const rest = (text: string) => text.replaceAll(/<[^<>]*>/g, '');

function expectHarmless(text: string): void {
  for (const reference of references(text)) expect(reference).toMatch(/^<https?:\/\/[^\s<>|]+(\|[^<>\n]*)?>$/);
  expect(rest(text)).not.toMatch(/[<>]/);
  // Each ampersand is part of an escaped character.
  expect(text.replaceAll(/&(?:amp|lt|gt);/g, '')).not.toContain('&');
}

const HOSTILE = [
  '<!channel>',
  '<!here|here>',
  '<@U0ADA>',
  '<#C0ALL|all>',
  '<!subteam^S1>',
  '<!date^1^{date}^javascript:x|now>',
  '&lt;!channel&gt;',
  '&',
  '<',
  '>',
  '|',
  '[',
  ']',
  '(',
  ')',
  '![',
  '`',
  '```',
  '**',
  '_',
  '~~',
  '\n',
  '\n\n',
  '> ',
  '- ',
  '1. ',
  '# ',
  '\\',
  ' ',
  'a',
  'https://example.com/a|b',
  'javascript:alert(1)',
  'https://a@evil.example',
  '<https://example.com>',
  '<a href="x">',
  '&#60;!channel&#62;',
  '@channel',
  '@here',
  '[^1]',
  '[^1]: <!here>',
  '| a | b |\n|---|---|\n| <!here> | c |\n',
  '\u200b',
  'ü',
  '🙂',
];
const hostile = fc.oneof(
  fc.array(fc.constantFrom(...HOSTILE), { maxLength: 30 }).map((parts) => parts.join('')),
  fc.string({ unit: 'binary', maxLength: 200 }),
);

describe('Markdown', () => {
  it('never becomes a mention, or markup that the converter did not write', () => {
    fc.assert(
      fc.property(hostile, (text) => expectHarmless(convert(text))),
      { numRuns: 500 },
    );
  });

  it('stays harmless when it is split, in pieces within the limit', () => {
    fc.assert(
      fc.property(
        hostile,
        fc.integer({ min: 2_000, max: 3_000 }),
        fc.integer({ min: 1, max: 60 }),
        (text, limit, times) => {
          for (const piece of packText(markdownToMrkdwn(text.repeat(times)), limit)) {
            expectHarmless(piece);
            expect(piece.length).toBeLessThanOrEqual(limit);
          }
        },
      ),
      { numRuns: 100 },
    );
  });

  it.each([
    ['**bold** and *italic* and ~~gone~~', '*bold* and _italic_ and ~gone~'],
    ['# Head **ing**', '*Head ing*'],
    ['- a\n- b\n  - c', '• a\n• b\n    • c'],
    ['3. a\n4. b', '3. a\n4. b'],
    ['> quoted\n> twice', '&gt; quoted\n&gt; twice'],
    ['`a < b` [1]', '`a &lt; b` [1]'],
    ['```sql\nSELECT 1 < 2\n```', '```\nSELECT 1 &lt; 2\n```'],
    ['[Guide](https://example.com/a?b=1&c=2)', '<https://example.com/a?b=1&amp;c=2|Guide>'],
    ['[Guide](javascript:alert(1))', 'Guide'],
    ['![Chart](https://evil.example/track.png)', 'Chart'],
    ['| a | b |\n|---|---|\n| 1 | 22 |', '```\na | b\n--|---\n1 | 22\n```'],
    ['Ask @channel <!here>', 'Ask @channel &lt;!here&gt;'],
  ])('%j becomes %j', (markdown, expected) => {
    expect(convert(markdown)).toBe(expected);
  });

  it('shows the real address of a link whose label names another host', () => {
    expect(linkTo('https://evil.example/x', 'https://bank.example/login')).toBe('<https://evil.example/x>');
    expect(linkTo('https://evil.example/x', 'bank.example')).toBe('<https://evil.example/x>');
    expect(linkTo('https://bank.example/x', 'bank.example')).toBe('<https://bank.example/x|bank.example>');
    expect(linkTo('https://bank.example@evil.example/', 'Bank')).toBe('Bank');
  });
});

describe('packText', () => {
  it('keeps the text, links and escaped characters whole, and fences closed', () => {
    const link = linkTo('https://example.com/page', 'a page with spaces');
    const words = Array.from({ length: 400 }, (_, at) => `${link} ${escapeMrkdwn('<&>')} word${at}`).join(' ');
    const pieces = packText([words, `\`\`\`\n${'line of code\n'.repeat(400)}\`\`\``, 'end'], 2_900);
    expect(pieces.slice(0, -2).join(' ')).toContain('word399');
    for (const piece of pieces) {
      expect(piece.length).toBeLessThanOrEqual(2_900);
      expectHarmless(piece);
      expect((piece.match(/```/g) ?? []).length % 2).toBe(0);
    }
    expect(pieces.at(-1)).toMatch(/end$/);
  });
});
