import { expect } from '@jest/globals';
import type { ConsolePage } from './open-page.ts';

/** Desktop, tablet and phone, in CSS pixels. */
const WIDTHS = [1_440, 768, 390];

/**
 * Checks a page on wide and narrow screens: nothing is wider than the window, no accessibility
 * violation. Takes screenshots.
 */
export async function checkPage({ page, overflow, violations, picture }: ConsolePage, name: string): Promise<void> {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    expect(await overflow()).toEqual([]);
    expect(await violations()).toEqual([]);
    await picture(`${name}-${width}`);
  }
  await page.setViewportSize({ width: 1_440, height: 900 });
}
