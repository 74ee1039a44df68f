import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startChromium } from '@lectern/testing/chromium';
import { type OpenIdProvider, startOpenIdProvider } from '@lectern/testing/openid-provider';
import type { Browser } from 'playwright-core';
import { type Lectern, startLectern } from '../support/start-lectern.ts';
import { button, go } from './console/stage.ts';
import { checkPage } from './support/check-page.ts';
import { createOwner } from './support/create-owner.ts';
import { type ConsolePage, openPage } from './support/open-page.ts';

let lectern: Lectern;
let browser: Browser;
let provider: OpenIdProvider;
/** Each person has a separate browser profile. */
let owner: ConsolePage;
let colleague: ConsolePage;
beforeAll(async () => {
  provider = await startOpenIdProvider();
  provider.people.set('grace', { email: 'grace@example.org', email_verified: true, name: 'Grace', groups: ['Staff'] });
  provider.people.set('eve', { email: 'eve@elsewhere.example', email_verified: true, name: 'Eve' });
  [lectern, browser] = await Promise.all([startLectern({ EGRESS_ALLOW: '127.0.0.1' }), startChromium()]);
  const options = { elsewhere: [provider.issuer] };
  owner = await openPage(browser, lectern.baseUrl, options);
  colleague = await openPage(browser, lectern.baseUrl, options);
});
afterAll(async () => {
  await browser?.close();
  await lectern?.stop();
  await provider?.stop();
});

describe('an identity provider in the console', () => {
  it('is added by the owner, who gets the URLs to register', async () => {
    const { page } = owner;
    await createOwner(page, lectern);
    await go(page, 'People');
    await page.getByRole('tab', { name: 'Sign-in' }).click();
    await button(page, 'Add provider').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill('Acme');
    await dialog.getByLabel('Short name').fill('acme');
    await dialog.getByLabel('Issuer URL').fill(`${provider.issuer}/wrong`);
    await dialog.getByLabel('Client id').fill(provider.clientId);
    await dialog.getByLabel('Client secret').fill(provider.clientSecret);
    await dialog.getByLabel('Domains').fill('example.org');
    await checkPage(owner, 'openid-form');
    await button(dialog, 'Add provider').click();
    await dialog.getByText('does not work').first().waitFor();
    await dialog.getByLabel('Issuer URL').fill(provider.issuer);
    await button(dialog, 'Add provider').click();
    const urls = page.getByRole('dialog', { name: 'Register these URLs' });
    await urls.waitFor();
    await checkPage(owner, 'openid-urls');
    const redirectUri = await urls.getByLabel('Redirect URI', { exact: true }).inputValue();
    const postLogoutRedirectUri = await urls.getByLabel('Redirect URI after sign-out').inputValue();
    const backChannelLogoutUri = await urls.getByLabel('Back-channel logout URI (optional)').inputValue();
    provider.register({ redirectUri, postLogoutRedirectUri, backChannelLogoutUri });
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByText('example.org as member, and invited people').waitFor();
    await checkPage(owner, 'openid-providers');
  });

  it('signs a colleague in, who lands on the page of the link', async () => {
    const { page } = colleague;
    await page.goto(`${lectern.baseUrl}/console/agents`);
    await page.getByRole('link', { name: 'Sign in with Acme' }).waitFor();
    await checkPage(colleague, 'openid-sign-in');
    await page.getByRole('link', { name: 'Sign in with Acme' }).click();
    await page.getByRole('link', { name: 'Grace' }).click();
    await page.getByRole('heading', { level: 1, name: 'Agents' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/console/agents');
    await page.getByText('grace@example.org').first().waitFor();
  });

  it('confirms a person without a password and a passkey, who comes back to the account page', async () => {
    const { page } = colleague;
    // The page believes that the session is old. The tests of the gateway move the clock of the server.
    await page.route('**/api/v1/account', async (route) => {
      const response = await route.fetch();
      const json = await response.json();
      json.data.confirmedUntil = '2020-01-01T00:00:00.000Z';
      await route.fulfill({ response, json });
    });
    await page.goto(`${lectern.baseUrl}/console/account`);
    await page.getByText('You have no password.', { exact: true }).waitFor();
    await button(page, 'Add password').click();
    await page.getByRole('dialog').getByRole('link', { name: 'Sign in with Acme' }).waitFor();
    await checkPage(colleague, 'openid-confirm');
    await page.unroute('**/api/v1/account');
    await page.getByRole('dialog').getByRole('link', { name: 'Sign in with Acme' }).click();
    await page.getByRole('heading', { level: 1, name: 'Your account' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/console/account');
    await button(page, 'Add password').click();
    await page.getByRole('dialog').getByLabel('New password').waitFor();
  });

  it('closes pages above the role of a person, in words for people', async () => {
    const { page } = colleague;
    await page.goto(`${lectern.baseUrl}/console/search-insights`);
    await page.getByRole('heading', { name: 'You cannot read search analytics' }).waitFor();
    await page.getByText('Only admins and owners can. Ask one of them.').waitFor();
  });

  it('signs the colleague out there too', async () => {
    const { page } = colleague;
    await button(page.getByRole('complementary', { name: 'Menu' }), 'Sign out').click();
    await page.getByRole('heading', { name: 'Sign out?' }).waitFor();
    await button(page, 'Sign out').click();
    await page.getByRole('heading', { name: 'Sign in to Lectern' }).waitFor();
    await page.getByRole('link', { name: 'Sign in with Acme' }).click();
    // The provider asks again who it is.
    await page.getByRole('link', { name: 'Eve' }).click();
    await page.getByRole('heading', { name: 'You are not signed in' }).waitFor();
    await page.getByText('There is no account for eve@elsewhere.example').waitFor();
    await checkPage(colleague, 'openid-refused');
    await page.getByRole('link', { name: 'Back to sign-in' }).click();
    await page.getByRole('heading', { name: 'Sign in to Lectern' }).waitFor();
  });

  it('causes no script errors and no requests to other origins', () => {
    for (const { errors, foreignRequests } of [owner, colleague]) {
      expect(errors).toEqual([]);
      expect(foreignRequests).toEqual([]);
    }
  });
});
