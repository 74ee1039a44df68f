import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { openPage } from '../support/open-page.ts';
import type { Stage } from './stage.ts';

const MAX_STEPS = 60;

/** Presses Tab until an element with this name has the focus. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (let step = 0; step < MAX_STEPS; step += 1) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate<string>(
      "((e) => [e.getAttribute('aria-label'), e.labels?.[0]?.textContent, e.textContent].find(Boolean) ?? '')(document.activeElement)",
    );
    if (name.test(focused.trim())) return;
  }
  throw new Error(`Tab did not reach ${name}.`);
}

/** Tests the console without a mouse. */
export function walkByKeyboard(stage: () => Stage): void {
  it('signs in, skips the menu, searches, opens a passage, goes back and creates an agent with the keyboard', async () => {
    const { browser, lectern } = stage();
    const opened = await openPage(browser, lectern.baseUrl);
    const { page } = opened;
    await page.goto(`${lectern.baseUrl}/console`);
    await page.getByLabel('Email').waitFor();
    // The first field has the initial focus.
    await tabTo(page, /Sign in with a secret key/);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.type(lectern.credentials.secretKey);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Commands' }).waitFor();
    await page.keyboard.type('find');
    await page.getByRole('option', { name: 'Search', exact: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Search' }).waitFor();
    // The search box has the focus of the page.
    await page.keyboard.type('second class trains');
    await page.keyboard.press('Enter');
    await page.getByRole('listitem').locator('mark').first().waitFor();
    await tabTo(page, /travel/i);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').locator('mark').first().waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    // The focus returns to the opened passage.
    await page.locator('button:focus', { hasText: /travel/i }).waitFor();
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Search' }).waitFor();
    await page.getByRole('link', { name: 'Skip to content' }).focus();
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.id')).toBe('main');
    await page.getByRole('complementary', { name: 'Menu' }).getByRole('link', { name: 'Search', exact: true }).focus();
    await tabTo(page, /^Agents$/);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Agents' }).waitFor();
    // The new page has the focus, so Tab moves to its first button.
    await tabTo(page, /^New agent$/);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'New agent' }).waitFor();
    await tabTo(page, /^Name$/);
    await page.keyboard.type('Typed');
    await tabTo(page, /^Instructions$/);
    await page.keyboard.type('You answer briefly.');
    await tabTo(page, /^Create$/);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Typed' }).waitFor();
    await tabTo(page, /^Run$/);
    await page.keyboard.press('ArrowRight');
    await page.getByText('No runs yet').waitFor();
    expect(opened.errors).toEqual([]);
    await opened.close();
  });

  it('opens the menu on a phone, keeps the focus in it, and restores the focus', async () => {
    const { browser, lectern } = stage();
    const opened = await openPage(browser, lectern.baseUrl, { key: lectern.credentials.secretKey });
    const { page } = opened;
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto(`${lectern.baseUrl}/console/keys`);
    await page.getByRole('heading', { level: 1, name: 'Keys' }).waitFor();
    await page.getByRole('button', { name: 'Open menu' }).focus();
    await page.keyboard.press('Enter');
    const menu = page.getByRole('dialog', { name: 'Menu' });
    await menu.waitFor();
    expect(await opened.violations()).toEqual([]);
    await page.keyboard.press('Escape');
    await menu.waitFor({ state: 'detached' });
    await page.locator('button:focus[aria-label="Open menu"]').waitFor();
    await opened.close();
  });
}
