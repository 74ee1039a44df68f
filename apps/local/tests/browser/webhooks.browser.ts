import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitUntil } from '@lectern/testing';
import { startChromium } from '@lectern/testing/chromium';
import type { Browser } from 'playwright-core';
import { type Lectern, startLectern } from '../support/start-lectern.ts';
import { button, items } from './console/stage.ts';
import { checkPage } from './support/check-page.ts';
import { type ConsolePage, openPage } from './support/open-page.ts';

let lectern: Lectern;
let browser: Browser;
let opened: ConsolePage;
let server: Server;
let status = 200;
let requests = 0;
beforeAll(async () => {
  server = createServer((request, response) => {
    requests += 1;
    request.resume().on('end', () => response.writeHead(status).end('Hello'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const env = { WEBHOOK_ALLOW_HTTP: 'true', EGRESS_ALLOW: '127.0.0.1' };
  [lectern, browser] = await Promise.all([startLectern(env), startChromium()]);
  const { secretKey: key } = await lectern.home.credentials();
  opened = await openPage(browser, lectern.baseUrl, { key });
});
afterAll(async () => {
  await browser?.close();
  await lectern?.stop();
  server.close();
});

describe('webhooks in the console', () => {
  it('are created with a secret, tested, and replayed from their log', async () => {
    const { page } = opened;
    const { port } = server.address() as AddressInfo;
    // The launcher builds the console in the background. Until then a placeholder page reloads itself.
    await page.goto(`${lectern.baseUrl}/console/webhooks`);
    await page.getByText('No webhooks yet').waitFor({ timeout: 240_000 });
    await checkPage(opened, 'webhooks-empty');
    await button(page, 'New webhook').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Address').fill(`http://127.0.0.1:${port}/hook`);
    await dialog.getByLabel('Description').fill('Search index');
    await checkPage(opened, 'webhooks-form');
    await button(dialog, 'Create').click();
    expect(await dialog.getByLabel('Secret').inputValue()).toMatch(/^whsec_/);
    await checkPage(opened, 'webhooks-secret');
    await button(dialog, 'Close').click();
    const item = items(page).filter({ hasText: 'Search index' });
    await item.getByText('active', { exact: true }).waitFor();
    status = 500;
    await button(item, 'Send test').click();
    await item.getByText('The endpoint returned 500.').waitFor();
    status = 200;
    await button(item, 'Send test').click();
    await item.getByText('The endpoint accepted the test').waitFor();
    await checkPage(opened, 'webhooks');

    const collection = await lectern.api.ok('POST', '/api/v1/collections', { name: 'Notes' });
    const path = `/api/v1/collections/${collection.id}/documents`;
    await lectern.api.ok('POST', path, { title: 'Note', content: 'Something happens.' });
    await button(item, 'Deliveries').click();
    const row = dialog.getByRole('listitem').filter({ hasText: 'document.indexed' });
    await waitUntil(async () => (await row.getByText('delivered', { exact: true }).count()) > 0, {
      what: 'the delivery',
      timeoutMs: 60_000,
    });
    await button(row, 'Details').click();
    await row.getByText('"type": "document.indexed"').waitFor();
    await checkPage(opened, 'webhooks-deliveries');
    const before = requests;
    await button(row, 'Replay').click();
    await waitUntil(async () => requests > before, { what: 'the replay', timeoutMs: 60_000 });
    await button(dialog, 'Close').click();
  });

  it('that Lectern has disabled are shown on every page, until somebody enables them', async () => {
    const { page } = opened;
    status = 410;
    const [collection] = await lectern.api.all('/api/v1/collections');
    const path = `/api/v1/collections/${collection.id}/documents`;
    await lectern.api.ok('POST', path, { title: 'Last note', content: 'The endpoint is gone.' });
    const [webhook] = await lectern.api.all('/api/v1/webhooks');
    await lectern.api.until(`/api/v1/webhooks/${webhook.id}`, ({ state }) => state === 'disabled');
    await page.goto(`${lectern.baseUrl}/console/search`);
    await page.getByText('Lectern disabled 1 webhook.').waitFor();
    await page.getByRole('heading', { level: 1, name: 'Search' }).waitFor();
    await checkPage(opened, 'webhooks-notice');
    await page.getByRole('link', { name: 'Show webhooks' }).click();
    const item = items(page).filter({ hasText: 'Search index' });
    await item.getByText('it wants no more events').waitFor();
    await checkPage(opened, 'webhooks-disabled');
    status = 200;
    await button(item, 'Enable').click();
    await item.getByText('active', { exact: true }).waitFor();
    await button(item, 'Delete').click();
    await button(page.getByRole('dialog'), 'Delete').click();
    await page.getByText('No webhooks yet').waitFor();
    expect(opened.errors).toEqual([]);
  });
});
