import { findFreePort } from '@lectern/local-engines';
import { startChromium } from '@lectern/testing/chromium';
import type { Browser, Locator, Page } from 'playwright-core';
import { type Lectern, startLectern } from '../../support/start-lectern.ts';
import { type ConsolePage, openPage } from '../support/open-page.ts';
import { type Sources, startSources } from './sources.ts';

/** A whole system, its sources, and a browser. */
export interface Stage {
  readonly lectern: Lectern;
  readonly sources: Sources;
  readonly browser: Browser;
  /** The page that all tests share. */
  readonly opened: ConsolePage;
  readonly page: Page;
  /** The secret key of another, empty team. */
  readonly emptyKey: string;
  close(): Promise<void>;
}

/** Starts the system, the sources and the browser. */
export async function openStage(): Promise<Stage> {
  // The address of Lectern must be known before its start, for the redirects of authorizations.
  const port = await findFreePort();
  const publicUrl = `http://localhost:${port}`;
  const sources = await startSources(publicUrl);
  const [lectern, browser] = await Promise.all([
    startLectern({ ...sources.env, PORT: String(port), PUBLIC_URL: publicUrl }),
    startChromium(),
  ]);
  const { secretKey } = JSON.parse(await lectern.home.keys('create', '--team', 'Empty', '--json'));
  const opened = await openPage(browser, lectern.baseUrl, {
    elsewhere: [sources.drive.origin, sources.notion.origin],
  });
  return {
    ...{ lectern, sources, browser, opened, emptyKey: secretKey },
    page: opened.page,
    close: async () => {
      await browser.close();
      await lectern.stop();
      await sources.stop();
    },
  };
}

/** Finds a button by its exact name. */
export const button = (within: Page | Locator, name: string): Locator =>
  within.getByRole('button', { name, exact: true });

/** The list items of the page itself. Toasts and the menu have list items too. */
export const items = (page: Page): Locator => page.getByRole('main').getByRole('listitem');

/** Opens the form on the sign-in page that accepts a key. */
export async function openKeyForm(page: Page): Promise<Locator> {
  await page.getByText('Sign in with a secret key').click();
  return page.getByLabel('Secret key');
}

/** Opens a page of the menu. */
export async function go(page: Page, name: string): Promise<void> {
  await page.getByRole('complementary', { name: 'Menu' }).getByRole('link', { name, exact: true }).click();
  await page.getByRole('heading', { level: 1, name }).waitFor();
}
