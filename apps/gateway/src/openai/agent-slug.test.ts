import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { agentSlug } from '#openai/agent-slug';

describe('agentSlug', () => {
  it.each([
    ['Travel helper', 'travel-helper'],
    ['  HR – Fragen & Antworten!  ', 'hr-fragen-antworten'],
    ['Überstunden', 'uberstunden'],
    ['旅行 助手', '旅行-助手'],
    ['!!!', ''],
  ])('converts %j to %j', (name, slug) => {
    expect(agentSlug(name)).toBe(slug);
  });

  it('returns its own results unchanged, and nothing but letters, digits and single hyphens', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 100 }), (name) => {
        const slug = agentSlug(name);
        expect(agentSlug(slug)).toBe(slug);
        expect(slug).toMatch(/^(?:[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)*)?$/u);
      }),
    );
  });
});
