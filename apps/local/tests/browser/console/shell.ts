import { expect, it } from '@jest/globals';
import { checkPage } from '../support/check-page.ts';
import { openPage } from '../support/open-page.ts';
import { button, go, type Stage } from './stage.ts';

/** Tests the overview, the command menu, breadcrumbs and confirmations of actions. */
export function walkShell(stage: () => Stage): void {
  it('shows documents, failures and sources on the overview, and opens the failed documents', async () => {
    const { page, opened, lectern } = stage();
    const { id } = await lectern.api.ok('POST', '/api/v1/collections', { name: 'Faults' });
    const { id: connectorId } = await lectern.api.ok('POST', '/api/v1/connectors', {
      name: 'Broken files',
      type: 'upload',
      collection: id,
    });
    await lectern.api.upload(connectorId, [
      { name: 'broken.pdf', bytes: new TextEncoder().encode('%PDF-1.7\nthis file ends before it begins') },
    ]);
    await go(page, 'Overview');
    const item = page
      .getByRole('region', { name: 'Needs attention' })
      .getByRole('listitem')
      .filter({ hasText: 'Faults' });
    await item.getByText('1 document could not be indexed.').waitFor();
    await checkPage(opened, 'overview');
    await item.getByRole('link').click();
    await page.getByRole('heading', { level: 1, name: 'Faults' }).waitFor();
    await page.getByRole('button', { name: 'broken.pdf' }).waitFor();
    expect(await page.getByLabel('Status').inputValue()).toBe('failed');
    await page.getByRole('navigation', { name: 'Breadcrumbs' }).getByRole('link', { name: 'Collections' }).click();
    await page.getByRole('heading', { level: 1, name: 'Collections' }).waitFor();
  });

  it('opens pages and records, starts searches and questions, and creates collections with the command menu', async () => {
    const { page, opened } = stage();
    const menu = page.getByRole('dialog', { name: 'Commands' });
    const open = async (text: string) => {
      await page.keyboard.press('Control+k');
      await menu.waitFor();
      await page.keyboard.type(text);
    };
    await open('fau');
    await menu.getByRole('option', { name: /^Faults/, selected: true }).waitFor();
    await checkPage(opened, 'commands');
    await menu.getByRole('option', { name: /^Faults/ }).click();
    await page.getByRole('heading', { level: 1, name: 'Faults' }).waitFor();
    // The page has the focus, not the menu's button.
    await page.locator('#main:focus').waitFor();
    await open('zzzz parental leave');
    await menu.getByRole('option', { name: 'Search for “zzzz parental leave”' }).click();
    await page.getByRole('heading', { level: 1, name: 'Search' }).waitFor();
    expect(await page.locator('input[type=search]').inputValue()).toBe('zzzz parental leave');
    await open('How long is leave?');
    await menu.getByRole('option', { name: 'Ask “How long is leave?”' }).click();
    await page.getByRole('heading', { level: 1, name: 'Ask' }).waitFor();
    expect(await page.getByRole('textbox', { name: 'Your question' }).inputValue()).toBe('How long is leave?');
    await page.getByRole('textbox', { name: 'Your question' }).fill('');
    await open('new coll');
    await menu.getByRole('option', { name: 'New collection', selected: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'New collection' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it('closes the command menu without moving the focus or the page', async () => {
    const { page } = stage();
    await go(page, 'Agents');
    await button(page, 'New agent').focus();
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Commands' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.locator('button:focus', { hasText: 'New agent' }).waitFor();
  });

  it('confirms what an action did, also when its record is gone', async () => {
    const { page, opened } = stage();
    await go(page, 'Collections');
    await page.getByRole('link', { name: 'Faults' }).click();
    await button(page, 'Delete').first().click();
    await button(page.getByRole('dialog'), 'Delete').click();
    const done = page.getByText('“Faults” is deleted.', { exact: true });
    await done.waitFor();
    expect(await opened.violations()).toEqual([]);
    await opened.picture('toast');
    await button(page.getByRole('region', { name: /Notification/ }), 'Close').click();
    await done.waitFor({ state: 'detached' });
  });

  it('closes a dialog with Escape although a confirmation appeared after it', async () => {
    const { page, lectern } = stage();
    const { id } = await lectern.api.ok('POST', '/api/v1/collections', { name: 'Drafts' });
    await page.goto(`${lectern.baseUrl}/console/collections/${id}`);
    const { promise, resolve } = Promise.withResolvers<void>();
    await page.route(`**/api/v1/collections/${id}`, async (route) => {
      if (route.request().method() === 'DELETE') await promise;
      await route.continue();
    });
    await button(page, 'Delete').first().click();
    await button(page.getByRole('dialog'), 'Delete').click();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('Control+k');
    const menu = page.getByRole('dialog', { name: 'Commands' });
    await menu.waitFor();
    resolve();
    await page.getByText('“Drafts” is deleted.', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await menu.waitFor({ state: 'detached' });
  });

  it('has the command menu on a phone', async () => {
    const { browser, lectern } = stage();
    const opened = await openPage(browser, lectern.baseUrl, { key: lectern.credentials.secretKey });
    const { page } = opened;
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto(`${lectern.baseUrl}/console/overview`);
    await button(page, 'Go to…').click();
    const menu = page.getByRole('dialog', { name: 'Commands' });
    await menu.getByRole('option', { name: 'Usage' }).waitFor();
    expect(await opened.overflow()).toEqual([]);
    expect(await opened.violations()).toEqual([]);
    await opened.picture('phone-commands');
    await menu.getByRole('option', { name: 'Usage' }).click();
    await page.getByRole('heading', { level: 1, name: 'Usage' }).waitFor();
    await opened.close();
  });
}
