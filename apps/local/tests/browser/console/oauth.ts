import { expect, it } from '@jest/globals';
import { button, go, type Stage } from './stage.ts';

const PROVIDERS = ['Google Drive', 'Notion'] as const;

/** Tests sources with OAuth. */
export function walkOAuth(stage: () => Stage): void {
  it.each(PROVIDERS)('redirects to %s, and syncs after the authorization', async (label) => {
    const { page } = stage();
    await go(page, 'Connectors');
    await page.getByRole('link', { name: 'New connector' }).click();
    await page.getByRole('button', { name: new RegExp(`^${label}`) }).click();
    await button(page, `Authorize with ${label}`).click();
    await page.getByText('The source is authorized.').waitFor();
    expect(new URL(page.url()).searchParams.get('status')).toBe('success');
    await page.getByRole('link', { name: label }).click();
    await button(page, 'Sync now').click();
    const sync = page.getByRole('region', { name: 'Sync' });
    await sync.getByText('completed', { exact: true }).waitFor();
    await sync.getByText('indexed 1').waitFor();
  });

  it('connects a whole domain with a service account, without an authorization', async () => {
    const { page, sources } = stage();
    await go(page, 'Connectors');
    await page.getByRole('link', { name: 'New connector' }).click();
    await page.getByRole('button', { name: /^Google Drive/ }).click();
    await page.getByLabel('Access').selectOption('credentials');
    await page.getByLabel('Name').fill('Drive of the domain');
    await page.getByLabel('Service account key').fill(sources.drive.delegation.keyFile());
    await page.getByLabel('Administrator').fill('ada@example.com');
    await button(page, 'Connect').click();
    await button(page, 'Sync now').click();
    const sync = page.getByRole('region', { name: 'Sync' });
    await sync.getByText('completed', { exact: true }).waitFor();
    await sync.getByText('indexed 1').waitFor();
  });

  it('reports a denied authorization, and offers a retry', async () => {
    const { page, lectern } = stage();
    const [collection] = await lectern.api.all('/api/v1/collections');
    await lectern.api.ok('POST', '/api/v1/connectors', {
      name: 'Second drive',
      type: 'google_drive',
      collection: collection.id,
    });
    await page.goto(`${lectern.baseUrl}/console/connectors?status=error`);
    await page.getByText('The source was not authorized.').waitFor();
    await page.getByRole('link', { name: 'Second drive' }).click();
    await page.getByText('pending auth').first().waitFor();
    expect(await button(page, 'Sync now').isDisabled()).toBe(true);
    await button(page, 'Authorize').click();
    await page.getByText('The source is authorized.').waitFor();
  });
}
