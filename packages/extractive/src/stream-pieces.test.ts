import { describe, expect, it } from '@jest/globals';
import { estimateTokens, openFence, passageUnits } from '@lectern/text';
import fc from 'fast-check';
import { createReplyWriter } from '#compose/reply-writer';
import { fitPieces } from '#fit-pieces';
import { streamPieces } from '#stream-pieces';

const pieces = [{ type: 'text', text: 'Internationalization takes sixteen whole weeks.', whole: false }] as const;

async function stream(maxTokens: number) {
  let text = '';
  const limits = { maxTokens, promptTokens: 1, signal: new AbortController().signal };
  for await (const event of streamPieces(pieces, limits)) {
    if (event.type === 'text') text += event.delta;
    if (event.type === 'end') return { text, reason: event.stopReason, tokens: event.usage.completionTokens };
  }
  throw new Error('The stream has no end.');
}

describe('a reply that is longer than its limit', () => {
  it('is not empty even with one token', async () => {
    const { text, reason, tokens } = await stream(1);
    expect(text).toMatch(/^Inter/);
    expect(reason).toBe('max_tokens');
    expect(tokens).toBe(1);
  });

  it('is cut between words', async () => {
    expect(await stream(7)).toMatchObject({ text: 'Internationalization takes sixteen', reason: 'max_tokens' });
    expect(await stream(100)).toMatchObject({ text: pieces[0].text, reason: 'end' });
  });

  it('keeps the marker and the citation of a quote that it cuts, and closes its code', () => {
    const line = fc.constantFrom(
      '```sh',
      '```',
      '~~~~',
      '  ```',
      'run the backup',
      '1. Open the gate.',
      '',
      '手动备份。',
    );
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 30 }), fc.integer({ min: 20, max: 120 }), (lines, max) => {
        const text = `First.\n${lines.join('\n')}`.trimEnd();
        const quoted = quote(text);
        const fitting = fitPieces(quoted, max);
        const shown = fitting.map((piece) => (piece.type === 'text' ? piece.text : '')).join('');
        expect(estimateTokens(shown)).toBeLessThanOrEqual(max);
        expect(shown).toMatch(/\[1\]$/);
        const citation = fitting.at(-1);
        if (citation?.type !== 'citation') throw new Error('The citation is missing.');
        const { textStart, textEnd } = citation.citation;
        const part = shown.slice(textStart, textEnd);
        if (fitting !== quoted) expect(openFence(part)).toBeUndefined();
        expect(shown.slice(textEnd)).toMatch(/^\s+\[1\]$/);
      }),
    );
  });
});

function quote(text: string) {
  const reply = createReplyWriter();
  reply.write('According to "Guide":\n\n');
  const source = { id: 'doc', title: 'Guide', passages: [{ text, start: 0, end: text.length }] };
  const [unit] = passageUnits(text);
  if (!unit) throw new Error('The text has no unit.');
  const place = { passageIndex: 0, passageRank: 0, retrieval: 1, documentStart: 0 };
  reply.quoteText({ ...place, unit, source, terms: [], sentences: [], previous: undefined, next: undefined }, text);
  return reply.pieces();
}
