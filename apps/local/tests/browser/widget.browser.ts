import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startChromium } from '@lectern/testing/chromium';
import type { Browser } from 'playwright-core';
import { type Lectern, startLectern } from '../support/start-lectern.ts';
import { violationsOf } from './support/violations.ts';

const TAB_MS = 120_000;

/** Markup that a page must show as text. */
const TRAVEL = 'Trains are booked in second class. Hotels may cost 120 euros a night. <img src=x onerror=alert(1)>\n';

let lectern: Lectern;

describe('the widget', () => {
  let browser: Browser;
  let site: Server;
  let page = '';
  beforeAll(async () => {
    [lectern, browser] = await Promise.all([startLectern(), startChromium()]);
    const collection = (await lectern.api.ok('POST', '/api/v1/collections', { name: 'Handbook' })).id;
    const document = { title: 'Travel', content: TRAVEL };
    const { id } = await lectern.api.ok('POST', `/api/v1/collections/${collection}/documents`, document);
    await lectern.api.until(`/api/v1/documents/${id}`, ({ status }) => status === 'indexed');
    site = createServer((_request, response) => {
      const { origin } = new URL(lectern.baseUrl);
      // A strict policy, like in docs/widget.md.
      response.setHeader('Content-Security-Policy', `default-src 'none'; script-src ${origin}; connect-src ${origin}`);
      response.setHeader('Content-Type', 'text/html; charset=utf-8');
      response.end(page);
    });
    site.listen(0, '127.0.0.1');
    await once(site, 'listening');
  });
  afterAll(async () => {
    await browser?.close();
    site?.closeAllConnections();
    site?.close();
    await lectern?.stop();
  });

  const open = async (key: string) => {
    page = `<!doctype html><html lang="en"><title>Site</title><main><h1>Site</h1><script src="${lectern.baseUrl}/widget.js" data-key="${key}" data-label="Search the handbook" async></script></main>`;
    const tab = await browser.newPage();
    tab.setDefaultTimeout(TAB_MS);
    const faults: string[] = [];
    tab.on('pageerror', (error) => faults.push(error.message));
    tab.on('dialog', (dialog) => {
      faults.push(dialog.message());
      void dialog.dismiss();
    });
    await tab.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`);
    return { tab, faults };
  };

  it('searches from another origin with the keyboard, and highlights matches', async () => {
    const { tab, faults } = await open(lectern.credentials.publishableKey);
    const box = tab.getByRole('combobox', { name: 'Search the handbook' });
    await box.fill('hotels cost');
    const option = tab.getByRole('option').first();
    await option.waitFor();
    expect(await option.textContent()).toContain('<img src=x onerror=alert(1)>');
    expect(await option.locator('mark').allTextContents()).toContain('Hotels');
    expect(await box.getAttribute('aria-expanded')).toBe('true');
    await box.press('ArrowDown');
    expect(await option.getAttribute('aria-selected')).toBe('true');
    expect(await box.getAttribute('aria-activedescendant')).toBe(await option.getAttribute('id'));
    await tab.evaluate(
      "document.addEventListener('lectern-select', (event) => { document.title = event.detail.documentId; })",
    );
    await box.press('Enter');
    expect(await tab.title()).toMatch(/^doc_/);
    expect(await violationsOf(tab)).toEqual([]);
    await box.press('Escape');
    expect(await box.getAttribute('aria-expanded')).toBe('false');
    expect(faults).toEqual([]);
    await tab.close();
  });

  it('shows an error on pages that are not allowed to search, and never sends a secret key', async () => {
    const pair = await lectern.api.ok('POST', '/api/v1/api-keys', { name: 'Site', allowed_hosts: ['www.example.com'] });
    const elsewhere = await open(pair.publishableKey);
    await elsewhere.tab.getByRole('combobox').fill('laptop');
    await elsewhere.tab.getByText('not reachable from this page').waitFor();
    await elsewhere.tab.close();
    const { tab } = await open(lectern.credentials.secretKey);
    const sent: string[] = [];
    tab.on('request', (request) => void sent.push(request.url()));
    await tab.getByRole('combobox').fill('laptop');
    await tab.getByText('secret key must never').waitFor();
    expect(sent).toEqual([]);
    await tab.close();
  });
});
