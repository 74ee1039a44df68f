import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { contrast, THEMES, themeColors } from '#branding/colors.ts';

const anyColor = fc.integer({ min: 0, max: 0xff_ff_ff }).map((value) => `#${value.toString(16).padStart(6, '0')}`);

describe('the colors of a team', () => {
  it('are readable in both themes, whatever color an admin chooses', () => {
    fc.assert(
      fc.property(anyColor, (color) => {
        const themes = themeColors(color);
        for (const name of ['light', 'dark'] as const) {
          const { accent, text, soft } = themes[name];
          for (const background of [...THEMES[name].backgrounds, soft, text]) {
            expect(contrast(accent, background)).toBeGreaterThanOrEqual(4.5);
          }
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('are the chosen one where it is readable', () => {
    expect(themeColors('#0f766e').light.accent).toBe('#0f766e');
    expect(themeColors('#a5a3ff').dark.accent).toBe('#a5a3ff');
  });

  it('measure contrast as WCAG does', () => {
    expect(contrast('#000000', '#ffffff')).toBeCloseTo(21);
    expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
  });

  it('are checked against the backgrounds that the console has', () => {
    const css = readFileSync(new URL('../styles/tokens.css', import.meta.url), 'utf8');
    const blocks = css.split('\n}\n');
    const valuesIn = (block: string | undefined) =>
      ['page', 'surface', 'raised'].map((token) => new RegExp(`--${token}: (#\\w+);`).exec(block ?? '')?.[1]);
    expect(new Set(valuesIn(blocks[0]))).toEqual(new Set(THEMES.light.backgrounds));
    const dark = blocks.find((block) => block.includes('[data-theme="dark"] {'));
    expect(new Set(valuesIn(dark))).toEqual(new Set(THEMES.dark.backgrounds));
  });
});
