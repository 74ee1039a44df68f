import { describe, expect, it } from '@jest/globals';
import type { ChatMessage } from '@lectern/llm';
import { understand } from '#turn/understand';

const said = (text: string): ChatMessage => ({ role: 'user', content: [{ type: 'text', text }] });
const history = [said('How long is parental leave?')];

describe('a message', () => {
  it.each(['Thanks!', 'Hello', 'Good morning'])('that is small talk is never taken for a follow-up: %s', (message) => {
    const { question, classification } = understand(history, message);
    expect(classification.shape).toBe('conversational');
    expect(question).toBe(message);
  });

  it.each([
    ['And how do I request it?', 'how_to'],
    ['Why?', undefined],
  ])('that leans on the conversation is made self-standing: %s', (message, shape) => {
    const { question, classification } = understand(history, message);
    expect(question).toContain('parental leave');
    expect(classification.shape).not.toBe('conversational');
    if (shape) expect(classification.shape).toBe(shape);
  });

  it('with words of its own is understood without history', () => {
    expect(understand([], 'Compare Kandji with Shipshape')).toMatchObject({
      question: 'Compare Kandji with Shipshape',
      classification: { shape: 'comparison' },
    });
  });
});
