import { describe, expect, it } from '@jest/globals';
import type { ChatEvent } from '#api/types.ts';
import { addEvent, EMPTY_REPLY } from '#pages/chat/turn.ts';

const usage = { promptTokens: 1, completionTokens: 2, totalTokens: 3 };

describe('addEvent', () => {
  it('collects text, sources, confidence and usage', () => {
    const source = { id: 'doc_1', title: 'Leave', excerpt: '30 days', url: '' };
    const events: ChatEvent[] = [
      { event: 'message_start', data: { id: 'msg_1', conversationId: 'conv_1' } },
      { event: 'content_delta', data: { delta: '30 ' } },
      { event: 'content_delta', data: { delta: 'days [1]' } },
      { event: 'sources', data: { sources: [source] } },
      { event: 'message_end', data: { usage, answer_confidence: { score: 0.9, label: 'high' } } },
    ];
    expect(events.reduce(addEvent, EMPTY_REPLY)).toEqual({
      id: 'msg_1',
      content: '30 days [1]',
      sources: [source],
      confidence: { score: 0.9, label: 'high' },
      usage,
      steps: [],
    });
  });

  it('assigns each tool result to the first call without a result', () => {
    const events: ChatEvent[] = [
      { event: 'agent_start', data: { iteration: 1 } },
      { event: 'tool_call', data: { tool: 'calculate', params: { expression: '1+1' } } },
      { event: 'tool_call', data: { tool: 'calculate', params: { expression: '1/0' } } },
      { event: 'tool_result', data: { tool: 'calculate', result: { value: 2 } } },
      { event: 'tool_result', data: { tool: 'calculate', result: { error: 'division by zero' } } },
    ];
    const { steps } = events.reduce(addEvent, EMPTY_REPLY);
    expect(steps.map(({ success }) => success)).toEqual([undefined, true, false]);
    expect(steps[1]?.result).toEqual({ value: 2 });
  });
});
