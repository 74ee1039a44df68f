import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '@lectern/testing';
import { startChromium } from '@lectern/testing/chromium';
import type { Browser, Page } from 'playwright-core';
import { type Lectern, startLectern } from '../support/start-lectern.ts';
import { SAMPLE_FILES } from './console/sample-files.ts';
import { button, go } from './console/stage.ts';
import { createOwner, joinTeam, ownerLink, signIn } from './support/create-owner.ts';
import { type ConsolePage, openPage } from './support/open-page.ts';

const FILES = [
  ...SAMPLE_FILES,
  { name: 'contracts/lease.docx', text: 'PK\u0003\u0004 this file ends before it begins' },
];

let lectern: Lectern;
let browser: Browser;
let opened: ConsolePage;
let page: Page;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;

beforeAll(async () => {
  folder = await temporaryFolder();
  for (const { name, text } of FILES) {
    const path = join(folder.path, 'handbook', name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
  [lectern, browser] = await Promise.all([startLectern(), startChromium()]);
  opened = await openPage(browser, lectern.baseUrl);
  page = opened.page;
  // Until the console is built, a placeholder page reloads itself.
  await page.goto(await ownerLink(lectern));
  await page.getByLabel('Your name').waitFor();
});
afterAll(async () => {
  await browser?.close();
  await lectern?.stop();
  await folder?.remove();
});

/**
 * Each test is a step of a person who has never seen the console. The report shows how long it took: at most 10 s on
 * two cores without other load. A limit here would fail on a busy machine.
 */
describe('the first quarter of an hour', () => {
  it('begins with an account, and signs in with it', async () => {
    await createOwner(page, lectern);
    await page.getByRole('complementary', { name: 'Menu' }).getByRole('button', { name: 'Sign out' }).click();
    await signIn(page, 'ada@example.com');
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  });

  it('uploads a folder into a new collection', async () => {
    await go(page, 'Collections');
    await button(page, 'New collection').click();
    await page.getByLabel('Name').fill('Handbook');
    await button(page, 'Create').click();
    await page.getByRole('heading', { level: 1, name: 'Handbook' }).waitFor();
    await page.getByLabel('Folder').setInputFiles(join(folder.path, 'handbook'));
    const table = page.getByRole('table', { name: 'Documents' });
    await table.getByText('indexed', { exact: true }).nth(3).waitFor();
  });

  it('shows why two files failed', async () => {
    const progress = page.getByRole('region', { name: 'Job progress' });
    await progress.getByText('completed with errors').waitFor();
    for (const name of ['broken.pdf', 'lease.docx']) {
      const failure = progress.getByRole('listitem').filter({ hasText: name });
      expect(await failure.first().innerText()).toMatch(/damaged|not a|cannot be opened|could not be/i);
    }
  });

  it('answers a question with its source', async () => {
    await go(page, 'Ask');
    await page
      .getByRole('textbox', { name: 'Your question' })
      .fill('How many weeks of parental leave may parents take?');
    await page.keyboard.press('Enter');
    const answer = page.getByRole('article', { name: 'Answer' });
    await answer
      .getByText(/18 weeks/)
      .first()
      .waitFor();
    await button(page, 'Answer again').waitFor();
  });

  it('opens the cited passage in its document', async () => {
    await page.getByRole('button', { name: 'Source 1' }).first().click();
    await page.getByRole('dialog').locator('mark', { hasText: '18 weeks' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it('shares the answer with the team', async () => {
    await button(page, 'Share').click();
    const sharing = page.getByRole('dialog', { name: 'Share this conversation' });
    await button(sharing, 'Share with the team').click();
    const link = await sharing.getByLabel('Link').inputValue();
    await page.keyboard.press('Escape');
    await sharing.waitFor({ state: 'detached' });
    const colleague = await openPage(browser, lectern.baseUrl);
    await colleague.page.goto(link);
    await signIn(colleague.page, await joinTeam(lectern, 'Bob', 'member'));
    await colleague.page
      .getByRole('article', { name: 'Answer' })
      .getByText(/18 weeks/)
      .first()
      .waitFor();
    await colleague.close();
  });

  it('restricts a key to the search of one collection', async () => {
    const { id: board } = await lectern.api.ok('POST', '/api/v1/collections', { name: 'Board' });
    await go(page, 'Keys');
    await button(page, 'New key pair').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Website');
    await dialog.getByRole('checkbox', { name: /Can access all/ }).uncheck();
    await dialog.getByRole('checkbox', { name: 'Handbook' }).check();
    for (const right of ['Chat', 'Connectors', 'Agents', 'Analytics', 'Keys and people', 'Change documents']) {
      await dialog.getByRole('checkbox', { name: new RegExp(`^${right}`) }).uncheck();
    }
    await button(dialog, 'Create').click();
    const key = await page.getByRole('textbox', { name: 'Secret key' }).inputValue();
    const send = (path: string, body?: object) =>
      fetch(`${lectern.baseUrl}${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { 'X-Service-Key': key, 'Content-Type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    expect((await send('/api/v1/search', { query: 'parental leave' })).status).toBe(200);
    expect((await send(`/api/v1/collections/${board}`)).status).toBe(403);
    const { teamId } = await lectern.api.ok('GET', '/api/v1/key');
    expect((await send(`/api/v1/teams/${teamId}/chat`, { message: 'Hello' })).status).toBe(403);
  });

  it('causes no script errors', () => {
    expect(opened.errors).toEqual([]);
  });
});
