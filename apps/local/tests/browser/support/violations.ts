import axe from 'axe-core';
import type { Page } from 'playwright-core';

interface Violation {
  readonly id: string;
  readonly impact: string | null;
  readonly nodes: readonly { readonly html: string }[];
}

/** Violations of accessibility that axe calls serious or critical, each with where it is. */
export async function violationsOf(page: Page): Promise<readonly string[]> {
  // Evaluated by the browser's debugger: the page's policy allows no scripts of others.
  await page.evaluate(axe.source);
  const violations = await page.evaluate<readonly Violation[]>(
    "axe.run({ resultTypes: ['violations'] }).then(({ violations }) => JSON.parse(JSON.stringify(violations)))",
  );
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
}
