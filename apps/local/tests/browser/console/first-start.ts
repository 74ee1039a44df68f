import { expect, it } from '@jest/globals';
import { button, type Stage } from './stage.ts';

/** The bar of the first load, gzipped. `npm run bench:console` holds the time that it takes. */
const MAX_SCRIPT_BYTES = 250_000;

/** From the first start to the first page. */
export function walkFirstStart(stage: () => Stage): void {
  it('is built after the first start, opens from nothing within its budget, and asks for a key', async () => {
    const { page, opened, lectern } = stage();
    // The launcher builds it beside the start; until then a page says so, and looks again by itself.
    await page.goto(`${lectern.baseUrl}/console`);
    await page.getByLabel('Secret key').waitFor();
    expect(opened.scriptBytes()).toBeGreaterThan(0);
    expect(opened.scriptBytes()).toBeLessThanOrEqual(MAX_SCRIPT_BYTES);
    expect(await opened.violations()).toEqual([]);
    await opened.picture('sign-in');
  });

  it('refuses wrong and publishable keys in words, and lets a secret key in', async () => {
    const { page, opened, lectern } = stage();
    const { publishableKey, secretKey } = lectern.credentials;
    for (const [key, why] of [
      ['lectern_sk_wrong', /not valid/],
      [publishableKey, /publishable key/],
    ] as const) {
      await page.getByLabel('Secret key').fill(key);
      await button(page, 'Sign in').click();
      await page.getByRole('alert').getByText(why).waitFor();
    }
    await page.getByLabel('Secret key').fill(secretKey);
    await button(page, 'Sign in').click();
    await page.getByRole('heading', { name: 'No documents yet' }).waitFor();
    expect(await opened.violations()).toEqual([]);
  });
}
