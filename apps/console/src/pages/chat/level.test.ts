import { describe, expect, it } from '@jest/globals';
import { levelOf } from '#pages/chat/level.ts';

const sources = [{ id: 'doc_1', title: 'Leave', excerpt: '30 days', url: '' }];
const signals = { coverageRatio: 0.5, shapeConfidence: 0.5, coverageCompleteness: 1, violationFree: 1 };

describe('levelOf', () => {
  it('is the label of a reply that cites sources', () => {
    for (const label of ['high', 'medium', 'low'] as const) {
      expect(levelOf({ sources, confidence: { score: 0.5, label, signals } })).toBe(label);
      expect(levelOf({ sources, confidence: { score: 0.5, label } })).toBe(label);
    }
  });

  it('is none for a reply that does not answer, even if it quotes the closest passage', () => {
    const refused = { ...signals, shapeConfidence: 0, violationFree: 0 };
    const confidence = { score: 0.1, label: 'low', signals: refused } as const;
    expect(levelOf({ sources, confidence })).toBe('none');
    expect(levelOf({ sources: [], confidence })).toBe('none');
  });

  it('is none for a statement without a source, and undefined for small talk', () => {
    expect(levelOf({ sources: [], confidence: { score: 0.2, label: 'low' } })).toBe('none');
    expect(levelOf({ sources: [], confidence: { score: 0.5, label: 'medium' } })).toBeUndefined();
  });

  it('is undefined for an unfinished reply', () => {
    expect(levelOf({ sources, confidence: undefined })).toBeUndefined();
  });
});
