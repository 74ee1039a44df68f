import { createHash, randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startChromium } from '@lectern/testing/chromium';
import type { Browser } from 'playwright-core';
import type { Json } from '../support/api.ts';
import { type Lectern, startLectern } from '../support/start-lectern.ts';
import { button, go } from './console/stage.ts';
import { checkPage } from './support/check-page.ts';
import { createOwner, PASSWORD } from './support/create-owner.ts';
import { type ConsolePage, openPage } from './support/open-page.ts';

/** What an attacker could register. */
const NAME = 'Assistant <img src=x onerror="document.title=\'stolen\'">';

let lectern: Lectern;
let browser: Browser;
let owner: ConsolePage;
/** The web site of the app. */
let site: Server;
let callback: string;
const received: URL[] = [];
beforeAll(async () => {
  site = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://localhost');
    // Browsers also request an icon.
    if (url.pathname === '/callback') received.push(url);
    response.writeHead(200, { 'Content-Type': 'text/html' });
    response.end('<!doctype html><html lang="en"><title>App</title><h1>Connected</h1>');
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  callback = `${origin}/callback`;
  [lectern, browser] = await Promise.all([startLectern(), startChromium()]);
  owner = await openPage(browser, lectern.baseUrl, { elsewhere: [origin] });
});
afterAll(async () => {
  await browser?.close();
  await lectern?.stop();
  site?.close();
});

/** Registers an app, and returns the address to which it sends a browser. */
async function authorization(more: Record<string, string> = {}, name = NAME) {
  const response = await fetch(`${lectern.baseUrl}/oauth/register`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ client_name: name, redirect_uris: [callback] }),
  });
  const { client_id: clientId }: Json = await response.json();
  const verifier = randomBytes(32).toString('base64url');
  const query = new URLSearchParams({
    client_id: clientId,
    redirect_uri: callback,
    response_type: 'code',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    state: 'the-state',
    ...more,
  });
  return { clientId, verifier, url: `${lectern.baseUrl}/oauth/authorize?${query}` };
}

describe('the page on which a person connects an app', () => {
  it('appears after the sign-in, with the request of the app', async () => {
    const { page } = owner;
    await createOwner(page, lectern);
    await button(page.getByRole('complementary', { name: 'Menu' }), 'Sign out').click();
    await page.getByRole('heading', { name: 'Sign in to Lectern' }).waitFor();

    await page.goto((await authorization()).url);
    await page.getByLabel('Email').fill('ada@example.com');
    await page.getByLabel('Password').fill(PASSWORD);
    await button(page, 'Sign in').click();
    await page.getByRole('heading', { name: 'Connect Assistant' }).waitFor();
    await page.getByText('ada@example.com').waitFor();
    await page.getByText(new URL(callback).host).first().waitFor();
    await page.getByText('Lectern cannot check who made this app').waitFor();
    expect(await page.locator('img').count()).toBe(0);
    expect(await page.title()).not.toBe('stolen');
    // Allow is gray at first, and axe must not look while its color changes.
    await page.getByRole('button', { name: 'Allow', disabled: false }).waitFor();
    await checkPage(owner, 'connect-app-hostile');
    await page.goto((await authorization({}, 'Research assistant')).url);
    await page.getByRole('button', { name: 'Allow', disabled: false }).waitFor();
    await owner.picture('connect-app');
  });

  it('returns the refusal to the app, by keyboard', async () => {
    const { page } = owner;
    await button(page, 'Deny').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Connected' }).waitFor();
    expect(received.at(-1)?.searchParams.get('error')).toBe('access_denied');
    expect(received.at(-1)?.searchParams.get('state')).toBe('the-state');
  });

  it('returns a code that the app exchanges, by keyboard', async () => {
    const { page } = owner;
    const { url, clientId, verifier } = await authorization({ scope: 'search chat' });
    await page.goto(url);
    // The button can be used as soon as the page was in front of the person for a moment.
    await page.getByRole('button', { name: 'Allow', disabled: false }).waitFor();
    await button(page, 'Deny').focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Connected' }).waitFor();
    const { searchParams } = received.at(-1) ?? new URL(callback);
    expect(searchParams.get('iss')).toBe(lectern.baseUrl);
    const form = {
      grant_type: 'authorization_code',
      client_id: clientId,
      code: searchParams.get('code') ?? '',
      code_verifier: verifier,
    };
    const response = await fetch(`${lectern.baseUrl}/oauth/token`, { method: 'POST', body: new URLSearchParams(form) });
    expect(await response.json()).toMatchObject({ token_type: 'Bearer', scope: 'search chat' });
  });

  it('shows what is wrong with a request, and goes nowhere by itself', async () => {
    const { page } = owner;
    const before = received.length;
    await page.goto((await authorization({ code_challenge_method: 'plain' })).url);
    await page.getByText('PKCE with code_challenge_method S256 is required.').waitFor();
    await checkPage(owner, 'connect-app-problem');
    await page.goto((await authorization({ redirect_uri: 'https://evil.example/callback' })).url);
    await page.getByText('is not one that the app has registered').first().waitFor();
    await checkPage(owner, 'connect-app-wrong');
    await page.goto(`${lectern.baseUrl}/oauth/authorize`);
    await page.getByRole('heading', { name: 'No app asks for access' }).waitFor();
    expect(received).toHaveLength(before);
  });
});

describe('the connected apps', () => {
  it('are listed in the account and for admins, and are disconnected there', async () => {
    const { page } = owner;
    await page.goto(`${lectern.baseUrl}/console/account`);
    const apps = page.getByRole('region', { name: 'Connected apps' });
    await apps.getByText('What it may do').click();
    await apps.getByText('Search the documents that you may read').waitFor();
    await checkPage(owner, 'account-apps');
    await go(page, 'People');
    await page.getByRole('tab', { name: 'Connected apps' }).click();
    await page.getByRole('region', { name: 'Connected apps' }).getByText('for Ada (ada@example.com)').waitFor();
    await checkPage(owner, 'people-apps');
    await page.goto(`${lectern.baseUrl}/console/account`);
    await button(apps, 'Disconnect').click();
    await checkPage(owner, 'account-disconnect');
    await button(page.getByRole('dialog'), 'Disconnect').click();
    await apps.getByText('No app has access to your account').waitFor();
  });

  it('cause no script errors and no violations of the content security policy', () => {
    expect(owner.errors).toEqual([]);
    expect(owner.foreignRequests).toEqual([]);
  });
});
