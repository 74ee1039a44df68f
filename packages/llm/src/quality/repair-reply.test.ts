import { describe, expect, it } from '@jest/globals';
import type { ChatModel, ChatRequest } from '#model/chat-model';
import type { RuleName, Violation } from '#quality/quality-rule';
import { QUALITY_RULES } from '#quality/quality-rules';
import { askForRepair, correctionHolds } from '#quality/repair-reply';
import { infoForWindow } from '#registry/model-info';

const violation = (rule: RuleName): Violation => ({ rule, detail: `What is wrong by ${rule}.` });
const request: ChatRequest = {
  messages: [{ role: 'user', content: [{ type: 'text', text: 'How long is the leave?' }] }],
  sources: [],
  maxTokens: 1_000,
};
const usage = { promptTokens: 10, completionTokens: 100 };
const { signal } = new AbortController();

/** A model that notes what it is asked. */
function noting(provider: 'openai' | 'builtin' = 'openai') {
  const asked: ChatRequest[] = [];
  const model: ChatModel = {
    id: 'noting',
    info: infoForWindow('noting', provider, 8_000),
    countTokens: (text) => text.length,
    async *stream(one) {
      asked.push(one);
      yield { type: 'text', delta: 'Again.' };
      yield { type: 'end', stopReason: 'end', usage };
    },
  };
  return { model, asked };
}

describe('askForRepair', () => {
  it.each(QUALITY_RULES.map(({ name }) => name))(
    'asks once for a correction where the check %s failed',
    async (rule) => {
      const { model, asked } = noting();
      const text = rule === 'empty_reply' ? '' : 'Long.';
      const said = { text, stopReason: rule === 'truncated' ? 'max_tokens' : 'end', usage } as const;
      const violations = [violation(rule)];
      const reply = await askForRepair(model, request, { ...said, violations }, { mostTokens: 4_000, signal });
      expect(reply?.text).toBe('Again.');
      expect(asked).toHaveLength(1);
      const told = JSON.stringify(asked[0]?.messages);
      expect(told.includes(`What is wrong by ${rule}.`)).toBe(rule !== 'empty_reply');
    },
  );

  it('keeps reply and correction within the bound', async () => {
    const { model, asked } = noting();
    const said = { text: 'Long.', stopReason: 'end', usage, violations: [violation('unsupported_number')] } as const;
    await askForRepair(model, request, said, { signal });
    expect(asked[0]?.maxTokens).toBe(900);
    const spent = { ...said, usage: { promptTokens: 10, completionTokens: 950 } };
    expect(await askForRepair(model, request, spent, { signal })).toBeUndefined();
  });

  it('asks nothing where nothing is wrong, the model declined, or it only quotes', async () => {
    const { model, asked } = noting();
    const said = { text: 'Long.', stopReason: 'end', usage, violations: [violation('unsupported_number')] } as const;
    expect(await askForRepair(model, request, { ...said, violations: [] }, { signal })).toBeUndefined();
    expect(await askForRepair(model, request, { ...said, stopReason: 'refused' }, { signal })).toBeUndefined();
    expect(await askForRepair(noting('builtin').model, request, said, { signal })).toBeUndefined();
    expect(asked).toEqual([]);
  });
});

describe('correctionHolds', () => {
  const ended = { stopReason: 'end', toolCalls: [] } as const;

  it.each(QUALITY_RULES.map(({ name }) => name))('wants %s mended', (rule) => {
    expect(correctionHolds(ended, [], [violation(rule)])).toBe(true);
    expect(correctionHolds(ended, [violation(rule)], [violation(rule)])).toBe(false);
  });

  it.each(['empty_reply', 'dangling_marker', 'unsupported_quote', 'unsupported_number'] as const)(
    'takes no correction with %s, however much else it mends',
    (rule) => {
      const before = ['unsupported_number', 'unsupported_number', 'truncated', 'uncited_claim'] as const;
      expect(correctionHolds(ended, [violation(rule)], before.map(violation))).toBe(false);
    },
  );

  it('takes one that is better without being perfect, and none that was cut off', () => {
    const before = [violation('unsupported_number')];
    expect(correctionHolds(ended, [violation('uncited_claim')], before)).toBe(true);
    expect(correctionHolds({ ...ended, stopReason: 'max_tokens' }, [], before)).toBe(false);
  });
});
