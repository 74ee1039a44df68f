import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitUntil } from '@lectern/testing';
import { startChromium } from '@lectern/testing/chromium';
import type { Browser, Page } from 'playwright-core';
import { type Lectern, startLectern } from '../support/start-lectern.ts';
import { button, go } from './console/stage.ts';
import { checkPage } from './support/check-page.ts';
import { createOwner, PASSWORD } from './support/create-owner.ts';
import { type ConsolePage, openPage } from './support/open-page.ts';
import { documentedPaths } from './support/outline.ts';

/** The pages of the menu. Each has its name as its heading. */
const PAGES = [
  'Übersicht',
  'Frage stellen',
  'Suche',
  'Chat',
  'Agenten',
  'Sammlungen',
  'Konnektoren',
  'Suchregeln',
  'Synonyme',
  'Modelle',
  'Fragen',
  'Testfälle',
  'Suchauswertung',
  'Nutzung',
  'Personen',
  'Schlüssel',
  'Tools',
  'Slack',
  'Webhooks',
  'Audit-Log',
  'Einstellungen',
];

let lectern: Lectern;
let browser: Browser;
let german: ConsolePage;
beforeAll(async () => {
  [lectern, browser] = await Promise.all([startLectern(), startChromium()]);
  const { page, close } = await openPage(browser, lectern.baseUrl);
  await createOwner(page, lectern);
  await close();
  const { id } = await lectern.api.ok('POST', '/api/v1/collections', { name: 'Handbuch' });
  const document = { title: 'Urlaub', content: 'Alle Angestellten haben dreißig Tage bezahlten Urlaub im Jahr.' };
  const created = await lectern.api.ok('POST', `/api/v1/collections/${id}/documents`, document);
  await lectern.api.until(`/api/v1/documents/${created.id}`, ({ status }) => status === 'indexed');
  german = await openPage(browser, lectern.baseUrl, { locale: 'de-DE' });
});
afterAll(async () => {
  await browser?.close();
  await lectern?.stop();
});

const menuOf = (page: Page) => page.getByRole('complementary', { name: 'Menü' });
const headingOf = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });
const languageOf = (page: Page) => page.getAttribute('html', 'lang');

/** Chooses a language on the page of the account, which has another name in each. The page reloads. */
async function chooseLanguage(page: Page, language: string): Promise<void> {
  const form = page.locator('section[aria-labelledby="account-language"]');
  await form.getByRole('combobox').selectOption(language);
  await form.getByRole('button').click();
}

describe('the console in a German browser', () => {
  it('lets an owner sign in', async () => {
    const { page } = german;
    await page.goto(`${lectern.baseUrl}/console`);
    await headingOf(page, 'Bei Lectern anmelden').waitFor();
    expect(await languageOf(page)).toBe('de');
    await checkPage(german, 'german-sign-in');
    await page.getByLabel(/^E.Mail$/).fill('ada@example.com');
    await page.getByLabel('Passwort', { exact: true }).fill(PASSWORD);
    await button(page, 'Anmelden').click();
    await page.getByText('Willkommen, Ada.').waitFor();
  });

  it('has exactly these pages in its menu', async () => {
    const links = menuOf(german.page).getByRole('navigation', { name: 'Seiten' }).getByRole('link');
    expect(await links.allTextContents()).toEqual(PAGES);
  });

  it('has a screenshot of every page in the documentation', async () => {
    const paths = await menuOf(german.page)
      .getByRole('link')
      .evaluateAll((links) => links.map((link) => new URL(String(link.getAttribute('href')), 'http://x').pathname));
    const documented = documentedPaths();
    expect(paths.filter((path) => !documented.has(path.replace(/\/$/, '')))).toEqual([]);
  });

  it.each(PAGES)('shows the page “%s” in German', async (name) => {
    const { page } = german;
    await menuOf(page).getByRole('link', { name, exact: true }).click();
    await headingOf(page, name).waitFor();
    await waitUntil(async () => (await page.getByText(/^Lädt /).count()) === 0, {
      what: `the content of the page ${name}`,
      timeoutMs: 30_000,
    });
    expect(await languageOf(page)).toBe('de');
    expect(await page.title()).toBe(`${name} · Lectern`);
    await checkPage(german, `german-${PAGES.indexOf(name)}`);
  });

  it('is in English after the owner has chosen it', async () => {
    const { page } = german;
    await menuOf(page)
      .getByRole('link', { name: /Ihr Konto/ })
      .click();
    await headingOf(page, 'Ihr Konto').waitFor();
    await checkPage(german, 'german-account');
    await chooseLanguage(page, 'en');
    await headingOf(page, 'Your account').waitFor();
    expect(await languageOf(page)).toBe('en');
    await go(page, 'Overview');
    await page.getByText('Welcome, Ada.').waitFor();
  });

  it('is in German again with “Same as the browser”', async () => {
    const { page } = german;
    await page.goto(`${lectern.baseUrl}/console/account`);
    await headingOf(page, 'Your account').waitFor();
    expect(await page.getByLabel('Your language').inputValue()).toBe('en');
    await page.getByLabel('Your language').selectOption('Same as the browser');
    await button(page, 'Save language').click();
    await headingOf(page, 'Ihr Konto').waitFor();
    expect(await languageOf(page)).toBe('de');
  });

  it('is in English if the German texts cannot be loaded, and reports it when nothing can be loaded', async () => {
    const { page, close } = await openPage(browser, lectern.baseUrl, { locale: 'de-DE' });
    const failIf = (mustFail: (script: string) => boolean) =>
      page.route('**/console/assets/*.js', async (route) => {
        const response = await route.fetch();
        if (mustFail(await response.text())) await route.abort();
        else await route.fulfill({ response });
      });
    await failIf((script) => script.includes('Die Konsole konnte nicht geladen werden'));
    await page.goto(`${lectern.baseUrl}/console/`);
    await headingOf(page, 'Sign in to Lectern').waitFor();
    expect(await languageOf(page)).toBe('en');
    await failIf((script) => script.includes('has no element with the id root'));
    await page.reload();
    await page.getByRole('alert').getByText('Die Konsole konnte nicht geladen werden.').waitFor();
    await close();
  });

  it('causes no script errors and no requests to other origins', () => {
    expect(german.errors).toEqual([]);
    expect(german.foreignRequests).toEqual([]);
  });
});
