import { expect, it } from '@jest/globals';
import { button, go, items, type Stage } from './stage.ts';

/** Tests keys, the audit log and usage. */
export function walkKeys(stage: () => Stage): void {
  it('shows both keys of a new pair once', async () => {
    const { page } = stage();
    await go(page, 'Keys');
    await button(page, 'New key pair').click();
    await page.getByLabel('Name').fill('Website');
    await page.getByLabel('Allowed hosts').fill('docs.example.com');
    await button(page, 'Create').click();
    expect(await page.getByRole('textbox', { name: 'Secret key' }).inputValue()).toMatch(/^lectern_sk_/);
    expect(await page.getByRole('textbox', { name: 'Publishable key' }).inputValue()).toMatch(/^lectern_pk_/);
    // Simulates a plain http address, where browsers have no clipboard API.
    await page.evaluate(`Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true })`);
    await button(page, 'Copy').first().click();
    await page.getByText('press Ctrl+C').waitFor();
    const selected = `(({ value, selectionStart, selectionEnd }) => value.slice(selectionStart, selectionEnd))(document.activeElement)`;
    expect(await page.evaluate<string>(selected)).toMatch(/^lectern_sk_/);
    await page.evaluate('delete navigator.clipboard');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await page.content()).not.toMatch(/lectern_sk_\w/);
  });

  it('edits the permissions of a pair, rotates it and revokes it', async () => {
    const { page, opened } = stage();
    const pair = items(page).filter({ hasText: 'Website' });
    await button(pair, 'Edit').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Requests per minute').fill('120');
    await dialog.getByLabel('Allowed page URLs').fill('https://docs.example.com/help');
    await dialog.getByRole('checkbox', { name: /Can access all/ }).uncheck();
    await dialog.getByRole('checkbox', { name: 'Handbook' }).check();
    await dialog.getByRole('checkbox', { name: /signed requests/ }).check();
    await dialog.getByLabel('Expires').fill('2099-12-31');
    for (const right of ['Connectors', 'Agents', 'Analytics', 'Keys and people', 'Change documents']) {
      await dialog.getByRole('checkbox', { name: new RegExp(`^${right}`) }).uncheck();
    }
    await dialog.getByLabel('Allowed IP addresses').fill('office');
    await button(dialog, 'Save').click();
    await dialog.getByText('must be an IP address or a CIDR range').first().waitFor();
    await dialog.getByLabel('Allowed IP addresses').fill('10.1.2.3/8\n2001:DB8::/32');
    expect(await opened.violations()).toEqual([]);
    await button(dialog, 'Save').click();
    const limits =
      /1 collection · rights: search, chat, read documents · addresses: 10\.0\.0\.0\/8, 2001:db8::\/32 · 120/;
    await pair.getByText(limits).waitFor();
    await pair.getByText(/requests per minute · .*signed requests only/).waitFor();
    await opened.picture('keys');
    await button(pair, 'Rotate').click();
    await page.getByLabel('The old keys stop working').selectOption('3600');
    await button(dialog, 'Rotate').click();
    expect(await page.getByRole('textbox', { name: 'Secret key' }).inputValue()).toMatch(/^lectern_sk_/);
    await page.keyboard.press('Escape');
    await button(pair, 'Revoke').click();
    await button(dialog, 'Revoke').click();
    await pair.getByText('revoked', { exact: true }).waitFor();
  });

  it('shows the audit log and the recorded events', async () => {
    const { page, lectern } = stage();
    await lectern.api.ok('POST', '/api/v1/analytics/events', { name: 'search_clicked', properties: { rank: 1 } });
    await go(page, 'Audit');
    await page.getByLabel('Action').fill('rotateApiKey');
    await page.getByRole('table').getByText('rotateApiKey').first().waitFor();
    await page.getByText('createConnector').first().waitFor({ state: 'detached' });
    await page.getByRole('tab', { name: 'Recorded events' }).click();
    await page.getByRole('row', { name: /search_clicked/ }).waitFor();
  });

  it('plots usage and latency, with the numbers in tables', async () => {
    const { page, opened } = stage();
    await go(page, 'Usage');
    await page.getByRole('img', { name: /^Requests\./ }).waitFor();
    expect(await page.locator('svg[role=img]').count()).toBe(4);
    const plot = page.getByRole('figure').filter({ hasText: 'Requests by type' });
    await plot.getByText('Show as table').click();
    const table = plot.getByRole('table', { name: 'Requests by type' });
    await table.waitFor();
    const counts = (await table.locator('tbody td.number').allTextContents()).map(Number);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(2);
    expect(await opened.violations()).toEqual([]);
    await plot.getByText('Show as table').click();
    await opened.picture('usage');
    await page.getByLabel('Period').selectOption('month');
    await page.getByRole('img', { name: /^Requests\./ }).waitFor();
  });
}
