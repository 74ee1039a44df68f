import { describe, expect, it } from '@jest/globals';
import type { ChatMessage } from '#model/chat-message';
import { normalizeMessages } from '#provider/normalize-messages';

const user = (text: string): ChatMessage => ({ role: 'user', content: [{ type: 'text', text }] });
const assistant = (text: string): ChatMessage => ({ role: 'assistant', content: [{ type: 'text', text }] });
const call: ChatMessage = { role: 'assistant', content: [{ type: 'tool_call', id: 'c1', name: 'look', input: {} }] };
const result: ChatMessage = {
  role: 'tool',
  content: [{ type: 'tool_result', callId: 'c1', content: 'x', isError: false }],
};

describe('a conversation for a provider', () => {
  it('starts with the user, alternates roles and has no empty message', () => {
    const messages = [
      assistant('Hello'),
      user('a'),
      user(' '),
      user('b'),
      assistant('It is [1].'),
      assistant(''),
      user('c'),
    ];
    expect(normalizeMessages(messages)).toEqual([
      { role: 'user', content: [...user('a').content, ...user('b').content] },
      assistant('It is.'),
      user('c'),
    ]);
  });

  it('keeps calls with their results, and rejects one without', () => {
    expect(normalizeMessages([user('a'), call, result])).toEqual([user('a'), call, result]);
    expect(() => normalizeMessages([user('a'), call, user('b')])).toThrow('The call of the tool "look" has no result.');
  });

  it('is rejected if no user message waits for a reply', () => {
    expect(() => normalizeMessages([])).toThrow('no user message');
    expect(() => normalizeMessages([user('a'), assistant('b')])).toThrow('no user message');
  });
});
