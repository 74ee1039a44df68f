import { describe, expect, it } from '@jest/globals';
import { timeLimit } from '@lectern/testing';
import { estimateTokens } from '@lectern/text';
import { loadTokenizer } from '#tokens/openai-tokenizer';
import { createTokenGauge } from '#tokens/token-gauge';

const words = 'Some words of a long document about leave. '.repeat(300);

describe('a token gauge', () => {
  it('starts high, and then uses the highest reported ratio with a margin', () => {
    const gauge = createTokenGauge({ initial: 1.5 });
    const estimate = estimateTokens(words);
    expect(gauge.count(words)).toBe(Math.ceil(estimate * 1.5));
    gauge.learn([words], estimate);
    gauge.learn([words], estimate * 1.2);
    expect(gauge.count(words)).toBe(Math.ceil(estimate * 1.2 * 1.05));
  });

  it('ignores short prompts and absurd token counts', () => {
    const gauge = createTokenGauge({ initial: 1.5 });
    gauge.learn(['Hi'], 900);
    gauge.learn([words], 0);
    expect(gauge.count('word')).toBe(2);
    gauge.learn([words], 1_000_000_000);
    expect(gauge.count('word')).toBe(3);
  });
});

describe("OpenAI's tokenizers", () => {
  it('count exactly, count special tokens as text, and are fast on any text', async () => {
    const count = await loadTokenizer('o200k_base');
    expect(count('Hello world')).toBe(2);
    expect(count('<|endoftext|>')).toBeGreaterThan(1);
    expect(count('')).toBe(0);
    const at = performance.now();
    expect(count('a'.repeat(400_000))).toBeGreaterThan(10_000);
    expect(performance.now() - at).toBeLessThan(timeLimit(2_000));
    expect((await loadTokenizer('cl100k_base'))('Hello world')).toBe(2);
  });
});
