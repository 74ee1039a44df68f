import type { Page } from 'playwright-core';
import { AXE, type Violation } from './page-checks.ts';

/** Returns the accessibility violations with their elements. */
export async function violationsOf(page: Page): Promise<readonly string[]> {
  // Evaluated in the debugger, because the page's policy blocks other scripts.
  const violations = await page.evaluate<readonly Violation[]>(AXE);
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
}
