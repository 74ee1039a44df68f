import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startChromium } from '@lectern/testing/chromium';
import type { Browser, Page } from 'playwright-core';
import { type Lectern, startLectern } from '../support/start-lectern.ts';
import { button, go, items } from './console/stage.ts';
import { checkPage } from './support/check-page.ts';
import { ownerLink, PASSWORD } from './support/create-owner.ts';
import { type ConsolePage, openPage } from './support/open-page.ts';

let lectern: Lectern;
let browser: Browser;
let link: string;
/** Each person has a separate browser profile. */
let owner: ConsolePage;
let colleague: ConsolePage;
beforeAll(async () => {
  [lectern, browser] = await Promise.all([startLectern(), startChromium()]);
  link = await ownerLink(lectern);
  owner = await openPage(browser, lectern.baseUrl);
  colleague = await openPage(browser, lectern.baseUrl);
});
afterAll(async () => {
  await browser?.close();
  await lectern?.stop();
});

const signIn = async (page: Page, email: string) => {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(PASSWORD);
  await button(page, 'Sign in').click();
};

let invitation: string;

describe('people in the console', () => {
  it('create the first owner with the link that the start prints', async () => {
    const { page } = owner;
    // The launcher builds the console in the background. Until then a placeholder page reloads itself.
    await page.goto(link);
    await page.getByRole('heading', { name: 'Create the owner account' }).waitFor();
    await checkPage(owner, 'people-owner');
    await page.getByLabel('Your name').fill('Ada');
    await page.getByLabel('Email').fill('ada@example.com');
    await page.getByLabel('Password').fill('short');
    await button(page, 'Create account').click();
    await page
      .getByText(/at least 12 characters/)
      .first()
      .waitFor();
    await page.getByLabel('Password').fill(PASSWORD);
    await button(page, 'Create account').click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await page.getByText('Welcome, Ada.').waitFor();
    await page.getByRole('link', { name: 'Invite your team' }).waitFor();
    await checkPage(owner, 'people-welcome');
  });

  it('cannot use the link twice', async () => {
    const { page } = colleague;
    await page.goto(link);
    await page.getByRole('heading', { name: 'This link does not work' }).waitFor();
    await button(page, 'Go to sign-in').click();
    await page.getByRole('heading', { name: 'Sign in to Lectern' }).waitFor();
    await checkPage(colleague, 'people-sign-in');
  });

  it('invite a colleague', async () => {
    const { page } = owner;
    const { id } = await lectern.api.ok('POST', '/api/v1/collections', { name: 'Handbook' });
    const document = { title: 'Leave', content: 'Every employee has thirty days of paid leave a year.' };
    const created = await lectern.api.ok('POST', `/api/v1/collections/${id}/documents`, document);
    await lectern.api.until(`/api/v1/documents/${created.id}`, ({ status }) => status === 'indexed');
    await go(page, 'People');
    await button(page, 'Invite').click();
    await page.getByRole('dialog').getByLabel('Email').fill('grace@example.com');
    await button(page, 'Create link').click();
    invitation = await page.getByLabel('Link', { exact: true }).inputValue();
    await checkPage(owner, 'people-link');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByText('grace@example.com').waitFor();
    await checkPage(owner, 'people');
  });

  it('join with the invitation and ask a question, without the pages of admins', async () => {
    const { page } = colleague;
    await page.goto(link);
    await page.getByRole('heading', { name: 'This link does not work' }).waitFor();
    // The same page with another fragment, so the browser does not load it again.
    await page.goto(invitation);
    await page.getByText('grace@example.com').waitFor();
    await page.getByLabel('Your name').fill('Grace');
    await page.getByLabel('Password').fill(PASSWORD);
    await checkPage(colleague, 'people-join');
    await button(page, 'Create account').click();
    await page.getByRole('heading', { level: 1, name: 'Ask' }).waitFor();
    const menu = page.getByRole('complementary', { name: 'Menu' });
    expect(await menu.getByRole('navigation').getByRole('link').allTextContents()).toEqual(['Ask', 'Search', 'Agents']);
    await page.getByRole('textbox').last().fill('How many days of leave are there?');
    await page.keyboard.press('Enter');
    await page
      .getByText(/thirty days of paid leave/)
      .first()
      .waitFor();
    await checkPage(colleague, 'people-member');
  });

  it('keep the page of a link through signing in', async () => {
    const { page } = colleague;
    const otherTab = await page.context().newPage();
    await otherTab.goto(`${lectern.baseUrl}/console/`);
    await otherTab.getByRole('heading', { level: 1, name: 'Ask' }).waitFor();
    await button(page.getByRole('complementary', { name: 'Menu' }), 'Sign out').click();
    await page.getByRole('heading', { name: 'Sign in to Lectern' }).waitFor();
    // Tabs share the session, so they sign out and in together.
    await otherTab.getByRole('heading', { name: 'Sign in to Lectern' }).waitFor();
    await page.goto(`${lectern.baseUrl}/console/agents`);
    await signIn(page, 'grace@example.com');
    await page.getByRole('heading', { level: 1, name: 'Agents' }).waitFor();
    await otherTab.getByRole('heading', { level: 1, name: 'Ask' }).waitFor();
    await otherTab.close();
    expect(await button(page, 'New agent').count()).toBe(0);
  });

  it('are signed out when an admin deactivates them', async () => {
    const { page } = owner;
    await go(page, 'Search');
    await go(page, 'People');
    const grace = items(page).filter({ hasText: 'grace@example.com' });
    await button(grace, 'Sessions').click();
    await page
      .getByRole('dialog')
      .getByText(/HeadlessChrome/)
      .first()
      .waitFor();
    await checkPage(owner, 'people-sessions');
    await page.keyboard.press('Escape');
    await button(grace, 'Deactivate').click();
    await button(page.getByRole('dialog'), 'Deactivate').click();
    await grace.getByText('deactivated').waitFor();
    const menu = colleague.page.getByRole('complementary', { name: 'Menu' });
    await menu.getByRole('link', { name: 'Search' }).click();
    await colleague.page.getByText('Your session has ended').waitFor();
    await signIn(colleague.page, 'grace@example.com');
    await colleague.page.getByText('email address or the password is wrong').waitFor();
  });

  it('cause no script errors and no requests to other origins', () => {
    for (const { errors, foreignRequests } of [owner, colleague]) {
      expect(errors).toEqual([]);
      expect(foreignRequests).toEqual([]);
    }
  });
});
