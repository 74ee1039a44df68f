import { describe, expect, it } from '@jest/globals';
import type { AgentRunRecord } from '#api/types.ts';
import { storedSteps } from '#pages/chat/step.ts';

const usage = { promptTokens: 1, completionTokens: 1, totalTokens: 2 };
const startedAt = '2026-01-01T00:00:00.000Z';
const call = { id: 'c1', tool: 'calculate', params: { expression: '1+1' }, durationMs: 1 };

describe('storedSteps', () => {
  it('returns turns, thoughts and calls, and marks calls without a result as failed', () => {
    const run: AgentRunRecord = {
      ...{
        id: 'run_1',
        agentId: 'agt_1',
        conversationId: null,
        scheduleId: null,
        status: 'cancelled',
        message: '',
        content: '',
      },
      ...{
        model: 'm',
        usage,
        limit: null,
        error: null,
        memories: [],
        withheld: false,
        pendingApprovals: 0,
        startedAt,
        completedAt: startedAt,
      },
      steps: [
        {
          ...{ number: 1, thought: 'I add.', usage, startedAt, completedAt: startedAt },
          toolCalls: [
            { ...call, result: { value: 2 }, success: true },
            { ...call, result: null, success: null },
          ],
        },
      ],
    };
    expect(storedSteps(run)).toEqual([
      { kind: 'iteration', text: 'Turn 1' },
      { kind: 'thought', text: 'I add.' },
      { kind: 'call', text: 'calculate', params: call.params, result: { value: 2 }, success: true },
      { kind: 'call', text: 'calculate', params: call.params, success: false },
    ]);
  });
});
