import { describe, expect, it } from '@jest/globals';
import type { RuleName, Violation } from '@lectern/grounding';
import type { ChatModel, ChatRequest } from '#model/chat-model';
import { infoForWindow } from '#model/model-info';
import { requestCorrection } from '#model/request-correction';

const violation = (rule: RuleName): Violation => ({ rule, detail: `A violation of ${rule}.` });
const request: ChatRequest = {
  messages: [{ role: 'user', content: [{ type: 'text', text: 'How long is the leave?' }] }],
  sources: [],
  maxTokens: 1_000,
};
const usage = { promptTokens: 10, completionTokens: 100 };
const { signal } = new AbortController();

/** Returns a model that records its requests. */
function recordingModel(provider: 'openai' | 'builtin' = 'openai') {
  const requests: ChatRequest[] = [];
  const model: ChatModel = {
    id: 'recording',
    info: infoForWindow('recording', provider, 8_000),
    countTokens: (text) => text.length,
    async *stream(one) {
      requests.push(one);
      yield { type: 'text', delta: 'Again.' };
      yield { type: 'end', stopReason: 'end', usage };
    },
  };
  return { model, requests };
}

describe('requestCorrection', () => {
  it.each([
    'empty_reply',
    'truncated',
    'dangling_marker',
    'unsupported_quote',
    'uncited_claim',
    'unsupported_number',
    'wrong_language',
    'needless_refusal',
  ] as const)('requests one correction if the check %s failed', async (rule) => {
    const { model, requests } = recordingModel();
    const text = rule === 'empty_reply' ? '' : 'Long.';
    const checked = { text, stopReason: rule === 'truncated' ? 'max_tokens' : 'end', usage } as const;
    const violations = [violation(rule)];
    const reply = await requestCorrection(model, request, { ...checked, violations }, { tokenLimit: 4_000, signal });
    expect(reply?.text).toBe('Again.');
    expect(requests).toHaveLength(1);
    const sent = JSON.stringify(requests[0]?.messages);
    expect(sent.includes(`A violation of ${rule}.`)).toBe(rule !== 'empty_reply');
  });

  it('keeps the reply and its correction within the limit', async () => {
    const { model, requests } = recordingModel();
    const checked = { text: 'Long.', stopReason: 'end', usage, violations: [violation('unsupported_number')] } as const;
    await requestCorrection(model, request, checked, { signal });
    expect(requests[0]?.maxTokens).toBe(900);
    const spent = { ...checked, usage: { promptTokens: 10, completionTokens: 950 } };
    expect(await requestCorrection(model, request, spent, { signal })).toBeUndefined();
  });

  it('requests nothing if the reply is right, the model declined, or it only quotes', async () => {
    const { model, requests } = recordingModel();
    const checked = { text: 'Long.', stopReason: 'end', usage, violations: [violation('unsupported_number')] } as const;
    expect(await requestCorrection(model, request, { ...checked, violations: [] }, { signal })).toBeUndefined();
    expect(await requestCorrection(model, request, { ...checked, stopReason: 'refused' }, { signal })).toBeUndefined();
    expect(await requestCorrection(recordingModel('builtin').model, request, checked, { signal })).toBeUndefined();
    expect(requests).toEqual([]);
  });
});
