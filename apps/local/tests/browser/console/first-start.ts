import { expect, it } from '@jest/globals';
import { button, openKeyForm, type Stage } from './stage.ts';

/** The maximum size of the first load, gzipped. `npm run bench:console` checks its time. */
const MAX_SCRIPT_BYTES = 250_000;

/** Tests the first start up to the first page. */
export function walkFirstStart(stage: () => Stage): void {
  it('is built after the first start, loads within its budget, and asks for an account', async () => {
    const { page, opened, lectern } = stage();
    // The launcher builds the console in the background. Until then a placeholder page reloads itself.
    await page.goto(`${lectern.baseUrl}/console`);
    await page.getByLabel('Password').waitFor();
    expect(opened.scriptBytes()).toBeGreaterThan(0);
    expect(opened.scriptBytes()).toBeLessThanOrEqual(MAX_SCRIPT_BYTES);
    expect(await opened.violations()).toEqual([]);
  });

  it('rejects wrong and publishable keys with a message, and accepts a secret key', async () => {
    const { page, opened, lectern } = stage();
    const { publishableKey, secretKey } = lectern.credentials;
    const field = await openKeyForm(page);
    for (const [key, why] of [
      ['lectern_sk_wrong', /not valid/],
      [publishableKey, /publishable key/],
    ] as const) {
      await field.fill(key);
      await button(page, 'Sign in with key').click();
      await page.getByRole('alert').getByText(why).waitFor();
    }
    await field.fill(secretKey);
    await button(page, 'Sign in with key').click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await page.getByRole('link', { name: 'Create a collection and upload documents' }).waitFor();
    expect(await opened.violations()).toEqual([]);
  });
}
