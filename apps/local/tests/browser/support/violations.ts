import axe from 'axe-core';
import type { Page } from 'playwright-core';

interface Violation {
  readonly id: string;
  readonly impact: string | null;
  readonly nodes: readonly { readonly html: string }[];
}

/** Returns the accessibility violations with their elements: the serious and critical ones, or all. */
export async function violationsOf(page: Page, isStrict = false): Promise<readonly string[]> {
  // Evaluate in the debugger, because the page's policy blocks other scripts.
  await page.evaluate(axe.source);
  const violations = await page.evaluate<readonly Violation[]>(
    "axe.run({ resultTypes: ['violations'] }).then(({ violations }) => JSON.parse(JSON.stringify(violations)))",
  );
  return violations
    .filter(({ impact }) => isStrict || impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
}
