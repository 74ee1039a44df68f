import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { timeLimit } from '@lectern/testing';
import { startChromium } from '@lectern/testing/chromium';
import type { Browser, Page, Response } from 'playwright-core';
import { type Lectern, startLectern } from '../support/start-lectern.ts';
import { button, go } from './console/stage.ts';
import { checkPage } from './support/check-page.ts';
import { createOwner, PASSWORD } from './support/create-owner.ts';
import { type ConsolePage, openPage } from './support/open-page.ts';

const THREE_MINUTES_MS = 180_000;

let lectern: Lectern;
let browser: Browser;
/** Each person has a separate browser profile. */
let owner: ConsolePage;
let colleague: ConsolePage;
beforeAll(async () => {
  browser = await startChromium();
});
afterAll(async () => {
  await browser?.close();
  await lectern?.stop();
});

const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true });

/** Gives the browser of a page an authenticator with a fingerprint reader. Returns a switch for its answers. */
async function addAuthenticator(page: Page) {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    credentials: async () => (await session.send('WebAuthn.getCredentials', { authenticatorId })).credentials,
    /** Like a person whom the device does not recognize. */
    verify: (isUserVerified: boolean) => session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
    /** With false, passkeys wait for the person, as on real devices. */
    press: (enabled: boolean) => session.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled }),
  };
}

async function invite(page: Page, email: string): Promise<string> {
  await go(page, 'People');
  await button(page, 'Invite').click();
  await page.getByRole('dialog').getByLabel('Email').fill(email);
  await button(page, 'Create link').click();
  const link = await page.getByLabel('Link', { exact: true }).inputValue();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  return link;
}

const openAccount = async (page: Page) => {
  await page
    .getByRole('complementary', { name: 'Menu' })
    .getByRole('link', { name: /your account/ })
    .click();
  await heading(page, 'Your account').waitFor();
};

const signOut = async (page: Page) => {
  await button(page.getByRole('complementary', { name: 'Menu' }), 'Sign out').click();
  await heading(page, 'Sign in to Lectern').waitFor();
};

describe('a newcomer', () => {
  it('goes from npm start to a cited answer for an invited colleague in less than three minutes', async () => {
    const started = performance.now();
    lectern = await startLectern();
    owner = await openPage(browser, lectern.baseUrl);
    const { page } = owner;
    await createOwner(page, lectern);
    await page.getByRole('link', { name: /Create a collection/ }).click();
    await button(page, 'New collection').click();
    await page.getByLabel('Name').fill('Handbook');
    await button(page, 'Create').click();
    await page.getByRole('heading', { level: 1, name: 'Handbook' }).waitFor();
    const text = Buffer.from('# Leave\n\nEvery employee has thirty days of paid leave a year.');
    await page.getByLabel('Files').setInputFiles({ name: 'leave.md', mimeType: 'text/markdown', buffer: text });
    const table = page.getByRole('table', { name: 'Documents' });
    await table.getByText('indexed', { exact: true }).first().waitFor();
    const invitation = await invite(page, 'grace@example.com');

    colleague = await openPage(browser, lectern.baseUrl);
    const other = colleague.page;
    await other.goto(invitation);
    await other.getByLabel('Your name').fill('Grace');
    await other.getByLabel('Password').fill(PASSWORD);
    await button(other, 'Create account').click();
    await other.getByRole('heading', { level: 1, name: 'Ask' }).waitFor();
    await other.getByRole('textbox').last().fill('How many days of leave are there?');
    await other.keyboard.press('Enter');
    await other
      .getByText(/thirty days of paid leave/)
      .first()
      .waitFor();
    await other.getByRole('list', { name: 'Sources' }).getByRole('button', { name: /leave/i }).first().waitFor();
    const seconds = Math.round((performance.now() - started) / 1000);
    process.stdout.write(`From npm start to the cited answer of a colleague: ${seconds} s\n`);
    expect(seconds * 1000).toBeLessThan(timeLimit(THREE_MINUTES_MS));
  });
});

describe('a passkey in the browser', () => {
  let mobile: ConsolePage;
  let authenticator: Awaited<ReturnType<typeof addAuthenticator>>;

  it('creates the account of an invitation without a password', async () => {
    const invitation = await invite(owner.page, 'mary@example.com');
    mobile = await openPage(browser, lectern.baseUrl);
    const { page } = mobile;
    authenticator = await addAuthenticator(page);
    await page.goto(invitation);
    const create = button(page, 'Create account with a passkey');
    await create.waitFor();
    expect(await create.isDisabled()).toBe(true);
    await page.getByLabel('Your name').fill('Mary');
    await checkPage(mobile, 'account-join');
    await create.click();
    await page.getByRole('heading', { level: 1, name: 'Ask' }).waitFor();
    expect(await authenticator.credentials()).toMatchObject([{ isResidentCredential: true, rpId: 'localhost' }]);
  });

  it('signs in without an address, from the button', async () => {
    const { page } = mobile;
    // Otherwise the authenticator answers the autofill of the sign-in page at once.
    await authenticator.press(false);
    await signOut(page);
    await checkPage(mobile, 'account-sign-in');
    // Applies to the next request. The one of the autofill keeps waiting.
    await authenticator.press(true);
    await button(page, 'Sign in with a passkey').click();
    await page.getByRole('heading', { level: 1, name: 'Ask' }).waitFor();
  });

  it('signs in from the autofill of the email field', async () => {
    const { page } = mobile;
    const isSignIn = (response: Response) => response.url().endsWith('/api/v1/session/passkey') && response.ok();
    const signedIn = page.waitForResponse(isSignIn);
    await button(page.getByRole('complementary', { name: 'Menu' }), 'Sign out').click();
    await signedIn;
    await page.getByRole('heading', { level: 1, name: 'Ask' }).waitFor();
  });

  it('is rejected with a readable message if the device does not recognize the person', async () => {
    const { page } = mobile;
    await authenticator.verify(false);
    await signOut(page);
    await button(page, 'Sign in with a passkey').click();
    await page.getByText(/No passkey was used/).waitFor();
    await checkPage(mobile, 'account-sign-in-failed');
    await authenticator.verify(true);
    await button(page, 'Sign in with a passkey').click();
    await page.getByRole('heading', { level: 1, name: 'Ask' }).waitFor();
  });

  it('is listed on the account page, where the last way to sign in stays', async () => {
    const { page } = mobile;
    await openAccount(page);
    const passkeys = page.getByRole('region', { name: 'Passkeys' });
    await passkeys.getByRole('heading', { name: 'Linux' }).waitFor();
    await checkPage(mobile, 'account');
    await button(passkeys, 'Remove').click();
    await button(page.getByRole('dialog'), 'Remove').click();
    await page.getByText('This passkey is your only way to sign in.', { exact: false }).waitFor();
    await button(page.getByRole('dialog'), 'Cancel').click();
    await button(passkeys, 'Add passkey').click();
    await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('Second');
    await checkPage(mobile, 'account-add');
    await button(page, 'Create passkey').click();
    // The device has a passkey of this account already.
    await page.getByText('This device already has a passkey of this account.', { exact: false }).waitFor();
    await page.keyboard.press('Escape');
    await button(page, 'Add password').click();
    await page.getByLabel('New password').fill(PASSWORD);
    await button(page.getByRole('dialog'), 'Add password').click();
    await button(page, 'Change password').waitFor();
    await button(passkeys, 'Remove').click();
    await button(page.getByRole('dialog'), 'Remove').click();
    await passkeys.getByRole('listitem').waitFor({ state: 'detached' });
  });
});

describe('the account page', () => {
  it('changes the name, the password and the passkeys of a person with a password', async () => {
    const { page } = owner;
    await addAuthenticator(page);
    await openAccount(page);
    await page.getByLabel('Your name').fill('Ada Lovelace');
    await button(page, 'Save name').click();
    await page
      .getByRole('link', { name: /Ada Lovelace/ })
      .first()
      .waitFor();
    await button(page, 'Change password').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Current password').fill('wrong');
    await dialog.getByLabel('New password').fill('another long sentence');
    await button(dialog, 'Change password').click();
    // A wrong password does not end the session.
    await dialog.getByText('email address or the password is wrong').waitFor();
    await dialog.getByLabel('Current password').fill(PASSWORD);
    await button(dialog, 'Change password').click();
    await dialog.waitFor({ state: 'detached' });
    await button(page, 'Add passkey').click();
    await dialog.getByLabel('Name', { exact: true }).fill('Laptop');
    await button(page, 'Create passkey').click();
    await page.getByRole('region', { name: 'Passkeys' }).getByRole('heading', { name: 'Laptop' }).waitFor();
    await checkPage(owner, 'account-owner');
  });

  it('asks to sign in again before it changes how an old session signs in', async () => {
    const { page } = owner;
    // The page believes that the session is old. The tests of the gateway move the clock of the server.
    await page.route('**/api/v1/account', async (route) => {
      const response = await route.fetch();
      const json = await response.json();
      json.data.confirmedUntil = '2020-01-01T00:00:00.000Z';
      await route.fulfill({ response, json });
    });
    await page.reload();
    await button(page.getByRole('region', { name: 'Passkeys' }), 'Remove').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('You signed in more than 15 minutes ago.', { exact: false }).waitFor();
    await checkPage(owner, 'account-confirm');
    await page.unroute('**/api/v1/account');
    await button(dialog, 'Sign in with a passkey').click();
    await dialog.waitFor({ state: 'detached' });
    await button(page.getByRole('region', { name: 'Passkeys' }), 'Remove').click();
    await button(page.getByRole('dialog'), 'Remove').click();
    await page.getByRole('region', { name: 'Passkeys' }).getByRole('listitem').waitFor({ state: 'detached' });
  });

  it('ends another session, and signs out everywhere', async () => {
    const { page } = colleague;
    const second = await openPage(browser, lectern.baseUrl);
    await second.page.goto(`${lectern.baseUrl}/console/`);
    await second.page.getByLabel('Email').fill('grace@example.com');
    await second.page.getByLabel('Password').fill(PASSWORD);
    await button(second.page, 'Sign in').click();
    await second.page.getByRole('heading', { level: 1, name: 'Ask' }).waitFor();
    await openAccount(page);
    const sessions = page.getByRole('region', { name: 'Sessions' });
    await button(sessions, 'End').click();
    await button(sessions, 'End').waitFor({ state: 'detached' });
    // Other pages show for some seconds what they have loaded. This browser has not loaded this one yet.
    const menu = second.page.getByRole('complementary', { name: 'Menu' });
    await menu.getByRole('link', { name: /your account/ }).click();
    await second.page.getByText('Your session has ended').waitFor();
    await button(page, 'Sign out everywhere').click();
    await button(page.getByRole('dialog'), 'Sign out everywhere').click();
    await heading(page, 'Sign in to Lectern').waitFor();
    await second.close();
  });

  it('and passkeys cause no script errors and no requests to other origins', () => {
    for (const { errors, foreignRequests } of [owner, colleague]) {
      expect(errors).toEqual([]);
      expect(foreignRequests).toEqual([]);
    }
  });
});
