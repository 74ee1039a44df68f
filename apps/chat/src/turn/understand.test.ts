import { describe, expect, it } from '@jest/globals';
import type { ChatMessage } from '@lectern/llm';
import { understand } from '#turn/understand';

const question = (text: string): ChatMessage => ({ role: 'user', content: [{ type: 'text', text }] });
const history = [question('How long is parental leave?')];

describe('understand', () => {
  it.each(['Thanks!', 'Hello', 'Good morning'])('never treats small talk as a follow-up: %s', (message) => {
    const { question: understood, classification } = understand(history, message);
    expect(classification.shape).toBe('conversational');
    expect(understood).toBe(message);
  });

  it.each([
    ['And how do I request it?', 'how_to'],
    ['Why?', undefined],
  ])('adds the topic of the conversation to a follow-up: %s', (message, shape) => {
    const { question: understood, classification } = understand(history, message);
    expect(understood).toContain('parental leave');
    expect(classification.shape).not.toBe('conversational');
    if (shape) expect(classification.shape).toBe(shape);
  });

  it('returns a self-contained question unchanged', () => {
    expect(understand([], 'Compare Kandji with Shipshape')).toMatchObject({
      question: 'Compare Kandji with Shipshape',
      classification: { shape: 'comparison' },
    });
  });
});
