import { describe, expect, it } from '@jest/globals';
import type { SourceDocument } from '@lectern/grounding';
import type { ChatMessage, ChatModel } from '@lectern/llm';
import { fitContext } from '#turn/fit-context';

const words = (text: string) => text.split(/\s+/).filter(Boolean).length;

/** A model that counts words, with room for `recommended` of them. */
const modelFor = (recommended: number): ChatModel => ({
  id: 'word-counter',
  info: {
    id: 'word-counter',
    provider: 'builtin',
    contextWindow: recommended * 2,
    recommendedMaxTokens: recommended,
    defaultMaxOutput: 100,
    maxOutput: 100,
    supportsTools: false,
  },
  countTokens: words,
  // biome-ignore lint/correctness/useYield: never called here
  async *stream() {
    throw new Error('not part of this test');
  },
});
const text = (count: number) => 'word '.repeat(count).trim();
const turn = (role: 'user' | 'assistant', count: number, mark: number): ChatMessage => ({
  role,
  content: [{ type: 'text', text: `${mark} ${text(count - 1)}` }],
});
const history = Array.from({ length: 600 }, (_, at) => turn(at % 2 === 0 ? 'user' : 'assistant', 20 + (at % 13), at));
const source = (id: string, passages: number): SourceDocument => ({
  id,
  title: id,
  passages: Array.from({ length: passages }, (_, at) => ({ text: `${id} ${at} ${text(50)}`, start: 0, end: 1 })),
});
const sources = [source('a', 4), source('b', 4), source('c', 4)];
const passages = (documents: readonly SourceDocument[]) => documents.flatMap((document) => document.passages);
const sizeOf = (fitted: ReturnType<typeof fitContext>) =>
  passages(fitted.sources).reduce((sum, passage) => sum + words(passage.text), 0) +
  fitted.history.reduce(
    (sum, { content }) => sum + words(content.map((part) => ('text' in part ? part.text : '')).join(' ')),
    0,
  );

describe('fitContext', () => {
  const parts = { maxTokens: 100, system: text(30), message: text(10), sources, history, historyShare: 0.3 };

  it('never exceeds the recommended maximum, and drops the oldest messages first and sources last', () => {
    for (let recommended = 160; recommended < 6_000; recommended += 37) {
      const fitted = fitContext({ ...parts, model: modelFor(recommended) });
      expect(100 + 30 + 10 + sizeOf(fitted)).toBeLessThanOrEqual(recommended);
      expect(fitted.history).toEqual(history.slice(history.length - fitted.history.length));
      if (passages(fitted.sources).length < 12) expect(fitted.history).toEqual([]);
    }
  });

  it('limits history to its share and starts it with a question', () => {
    const { history: fitting } = fitContext({ ...parts, model: modelFor(5_000) });
    const used = fitting.reduce(
      (sum, { content }) => sum + words(content.map((part) => ('text' in part ? part.text : '')).join('')),
      0,
    );
    expect(used).toBeLessThanOrEqual(5_000 * 0.3);
    expect(fitting[0]?.role).toBe('user');
    expect(fitting.length).toBeGreaterThan(10);
  });

  it('keeps the best passage of every document before the second of any', () => {
    const { sources: fitting } = fitContext({ ...parts, model: modelFor(160 + 4 * 70) });
    expect(fitting.map(({ passages }) => passages.length)).toEqual([2, 1, 1]);
  });

  it('does not count tokens if everything fits at one token per byte', () => {
    const counted: string[] = [];
    const model = modelFor(100_000);
    const counting = { ...model, countTokens: (one: string) => counted.push(one) };
    const short = history.slice(-9);
    const fitted = fitContext({ ...parts, history: short, model: counting });
    expect(fitted).toEqual({ sources, history: short.slice(1) });
    expect(counted).toEqual([parts.system, parts.message]);
  });

  it('rejects a message that does not fit by itself', () => {
    expect(() => fitContext({ ...parts, message: text(200), model: modelFor(300) })).toThrow('message: is too long');
  });
});
