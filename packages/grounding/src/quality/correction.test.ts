import { describe, expect, it } from '@jest/globals';
import { correctionHolds } from '#quality/correction';
import type { RuleName, Violation } from '#quality/quality-rule';
import { QUALITY_RULES } from '#quality/quality-rules';

const violation = (rule: RuleName): Violation => ({ rule, detail: `A violation of ${rule}.` });

describe('correctionHolds', () => {
  const ended = { stopReason: 'end', toolCalls: [] } as const;

  it.each(QUALITY_RULES.map(({ name }) => name))('requires %s to be fixed', (rule) => {
    expect(correctionHolds(ended, [], [violation(rule)])).toBe(true);
    expect(correctionHolds(ended, [violation(rule)], [violation(rule)])).toBe(false);
  });

  it.each(['empty_reply', 'dangling_marker', 'unsupported_quote', 'unsupported_number'] as const)(
    'rejects a correction with %s, even if it fixes other problems',
    (rule) => {
      const before = ['unsupported_number', 'unsupported_number', 'truncated', 'uncited_claim'] as const;
      expect(correctionHolds(ended, [violation(rule)], before.map(violation))).toBe(false);
    },
  );

  it('accepts a better correction that is not perfect, and rejects one that was cut off', () => {
    const before = [violation('unsupported_number')];
    expect(correctionHolds(ended, [violation('uncited_claim')], before)).toBe(true);
    expect(correctionHolds({ ...ended, stopReason: 'max_tokens' }, [], before)).toBe(false);
  });
});
