import { describe, expect, it } from '@jest/globals';
import { estimateTokens } from '@lectern/text';
import { streamPieces } from '#stream-pieces';

const pieces = [{ type: 'text', text: 'Internationalization takes sixteen whole weeks.', whole: false }] as const;

async function stream(maxTokens: number) {
  let text = '';
  const limits = { maxTokens, promptTokens: 1, countTokens: estimateTokens, signal: new AbortController().signal };
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
});
