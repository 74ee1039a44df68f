import { describe, expect, it } from '@jest/globals';
import { isDark } from '#browser/scheme';

describe('isDark', () => {
  it.each([
    ['color(srgb 1 1 1)', false],
    ['color(srgb 0 0 0)', true],
    ['color(srgb 0.07 0.07 0.08)', true],
    ['color(srgb 0.5 0.5 0.5)', false],
    ['color(srgb 0 0 1 / 0.9)', true],
    ['color(srgb 1.2 -0.1 1e-7)', false],
    ['color(srgb 0 0 0 / 0)', undefined],
    ['color(srgb 0 0 0 / 0.2)', undefined],
    ['color(srgb none none none)', undefined],
    ['rgb(0, 0, 0)', undefined],
    ['', undefined],
  ])('returns for %p: %p', (color, expected) => {
    expect(isDark(color)).toBe(expected);
  });
});
