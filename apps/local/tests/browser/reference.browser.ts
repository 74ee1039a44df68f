import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startChromium } from '@lectern/testing/chromium';
import type { Browser, Page } from 'playwright-core';
import { type Lectern, startLectern } from '../support/start-lectern.ts';
import { checkPage } from './support/check-page.ts';
import { createOwner } from './support/create-owner.ts';
import { type ConsolePage, openPage } from './support/open-page.ts';

let lectern: Lectern;
let browser: Browser;
let opened: ConsolePage;
let page: Page;

beforeAll(async () => {
  [lectern, browser] = await Promise.all([startLectern(), startChromium()]);
  opened = await openPage(browser, lectern.baseUrl);
  page = opened.page;
});
afterAll(async () => {
  await browser?.close();
  await lectern?.stop();
});

const CHANGE = 'tag/conversations/PUT/api/v1/teams/{teamId}/conversations/{id}';
const open = (hash: string) => page.goto(`${lectern.baseUrl}/docs#${hash}`);
const operation = (name: string) => page.getByRole('heading', { name }).first();

describe('the API reference', () => {
  it('explains how to send requests, in light and dark', async () => {
    // Until the console is built, a placeholder page reloads itself.
    await page.goto(`${lectern.baseUrl}/docs`);
    await page.getByRole('heading', { name: 'Authentication' }).first().waitFor();
    await checkPage(opened, 'reference');
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.reload();
    await page.getByRole('heading', { name: 'Authentication' }).first().waitFor();
    await checkPage(opened, 'reference-in-dark');
    await page.emulateMedia({ colorScheme: 'light' });
  });

  it('finds an operation by a word, and shows samples of curl and the SDKs next to it', async () => {
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: /search/i }).fill('Rename or share');
    await page
      .getByRole('option', { name: /Rename or share a conversation/ })
      .first()
      .click();
    await operation('Rename or share a conversation').waitFor();
    await open(CHANGE);
    await page.reload();
    await operation('Rename or share a conversation').waitFor();
    const sample = page
      .locator('section', { has: operation('Rename or share a conversation') })
      .getByText("-H 'X-Service-Key")
      .first();
    await sample.waitFor();
    await checkPage(opened, 'reference-operation');
  });

  it('has the changelog, which the search finds', async () => {
    await page.goto(`${lectern.baseUrl}/docs`);
    await page.getByRole('heading', { name: 'Authentication' }).first().waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: /search/i }).fill('Changelog');
    await page
      .getByRole('option', { name: /Changelog/ })
      .first()
      .click();
    await page.getByRole('heading', { name: 'Changelog' }).first().waitFor();
    await page.getByRole('heading', { name: '0.1.0' }).first().waitFor();
    await checkPage(opened, 'reference-changelog');
  });

  it('sends a request with the session of the person, for their own team', async () => {
    await createOwner(page, lectern);
    await open('tag/conversations/GET/api/v1/teams/{teamId}/conversations');
    await page.reload();
    await page.getByRole('button', { name: /Try it[\s\S]*get [\s\S]*conversations\)/ }).click();
    const response = page.waitForResponse(/\/api\/v1\/teams\/team_\w+\/conversations/);
    await page.getByRole('button', { name: /^Send/ }).first().click();
    expect((await response).status()).toBe(200);
    // The examples of optional parameters are not sent.
    expect(new URL((await response).url()).searchParams.has('query')).toBe(false);
    await page.getByText('"hasMore"').first().waitFor();
    expect(await opened.violations()).toEqual([]);
    await opened.picture('reference-request-1440');
  });

  it('causes no script errors and no requests to other origins', () => {
    expect(opened.errors).toEqual([]);
    expect(opened.foreignRequests).toEqual([]);
  });
});
