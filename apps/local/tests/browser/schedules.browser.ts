import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startChromium } from '@lectern/testing/chromium';
import type { Browser, Locator } from 'playwright-core';
import { joinAs } from '../support/api.ts';
import { type MailServer, startMailServer } from '../support/mail-server.ts';
import { type Lectern, startLectern } from '../support/start-lectern.ts';
import { button, items } from './console/stage.ts';
import { checkPage } from './support/check-page.ts';
import { createOwner } from './support/create-owner.ts';
import { type ConsolePage, openPage } from './support/open-page.ts';

const COLLEAGUE = 'grace@example.com';
const HOOK = 'https://hooks.example.com/a-rather-long-address/for/the/results/of/scheduled/agents';

let mail: MailServer;
let lectern: Lectern;
let browser: Browser;
let opened: ConsolePage;
beforeAll(async () => {
  mail = await startMailServer();
  const env = { SMTP_URL: mail.url, SMTP_FROM: 'Lectern <lectern@example.com>', EGRESS_ALLOW: '127.0.0.1' };
  [lectern, browser] = await Promise.all([startLectern(env), startChromium()]);
  const { api } = lectern;
  const collection = await api.ok('POST', '/api/v1/collections', { name: 'Handbook' });
  const path = `/api/v1/collections/${collection.id}/documents`;
  const content = 'The canteen serves lentil soup on Mondays.';
  const document = await api.ok('POST', path, { title: 'Canteen', content });
  await api.until(`/api/v1/documents/${document.id}`, ({ status }) => status === 'indexed');
  await api.ok('POST', '/api/v1/webhooks', { url: HOOK, events: ['document.deleted'] });
  const agent = await api.ok('POST', '/api/v1/agents', {
    name: 'Canteen desk',
    systemPrompt: 'You answer questions about the canteen.',
    tools: ['search_documents'],
    collections: [collection.id],
  });
  opened = await openPage(browser, lectern.baseUrl);
  const { page } = opened;
  await createOwner(page, lectern);
  await joinAs(lectern.credentials, COLLEAGUE, 'member');
  await page.setViewportSize({ width: 1_440, height: 900 });
  await page.goto(`${lectern.baseUrl}/console/agents/${agent.id}`);
  await page.getByRole('heading', { level: 1, name: 'Canteen desk' }).waitFor();
});
afterAll(async () => {
  await browser?.close();
  await lectern?.stop();
  await mail?.stop();
});

/** Presses a button by keyboard. */
async function press(target: Locator): Promise<void> {
  await target.focus();
  await opened.page.keyboard.press('Enter');
}

const dialog = () => opened.page.getByRole('dialog');
const field = (label: string) => dialog().getByLabel(label, { exact: true });
/** Replaces the text of a field by keyboard. */
async function type(label: string, text: string): Promise<void> {
  await field(label).focus();
  await opened.page.keyboard.press('ControlOrMeta+A');
  await opened.page.keyboard.type(text);
}
const isClosed = () => dialog().waitFor({ state: 'detached' });
const item = () => items(opened.page).filter({ has: opened.page.getByRole('heading', { name: /^Menu of/ }) });

describe('the schedules of an agent in the console', () => {
  it('are created by keyboard, after the message of the field about invalid times', async () => {
    const { page } = opened;
    await page.getByRole('tab', { name: 'Run', exact: true }).focus();
    for (const name of ['Run history', 'Schedules']) {
      await page.keyboard.press('ArrowRight');
      // The focus moves a moment after the key.
      await page.getByRole('tab', { name, selected: true }).waitFor();
    }
    await page.getByText('No schedules yet').waitFor();
    await checkPage(opened, 'schedules-empty');
    await press(button(page, 'Add schedule'));
    await type('Name', 'Menu of the week');
    await type('Message', 'What does the canteen serve on Mondays?');
    await type('Times', '*/5 * * * *');
    await type('Time zone', 'Europe/Nowhere');
    await field('Email to ada@example.com (you)').focus();
    await page.keyboard.press('Space');
    await checkPage(opened, 'schedules-form');
    await press(button(dialog(), 'Add'));
    await page.waitForSelector('[aria-invalid]');
    for (const label of ['Times', 'Time zone']) expect(await field(label).getAttribute('aria-invalid')).toBe('true');
    await checkPage(opened, 'schedules-invalid');
    await type('Times', '0 7 * * 1');
    await type('Time zone', 'Europe/Berlin');
    await page.keyboard.press('Enter');
    await isClosed();
    await item()
      .getByText(/next run \w+ \d+, \d{4}/)
      .waitFor();
    await item().getByText('Runs as ada@example.com').waitFor();
    await checkPage(opened, 'schedules');
  });

  it('are edited, with a colleague as another recipient', async () => {
    const { page } = opened;
    await press(button(item(), 'Edit'));
    expect(await field('Email to ada@example.com (you)').isChecked()).toBe(true);
    await type('Name', 'Menu of tomorrow');
    await type('Email to another person', 'GRACE');
    await page.keyboard.press('Enter');
    await press(button(dialog(), `Add ${COLLEAGUE}`));
    await dialog()
      .getByRole('checkbox', { name: `Email to ${COLLEAGUE}`, checked: true })
      .waitFor();
    await checkPage(opened, 'schedules-recipients');
    await press(button(dialog(), 'Save'));
    await isClosed();
    await item().getByRole('heading', { name: 'Menu of tomorrow' }).waitFor();
  });

  it('are disabled and enabled', async () => {
    await press(button(item(), 'Disable'));
    await item().getByText('disabled', { exact: true }).waitFor();
    expect(
      await item()
        .getByText(/next run/)
        .count(),
    ).toBe(0);
    await checkPage(opened, 'schedules-disabled');
    await press(button(item(), 'Enable'));
    await item()
      .getByText(/next run/)
      .waitFor();
  });

  it('are started, and show what became of the result, and its conversation', async () => {
    const { page } = opened;
    await press(button(item(), 'Run now'));
    await item().getByText('completed', { exact: true }).waitFor();
    const deliveries = item().getByRole('list', { name: 'Deliveries' });
    for (const whom of ['you', COLLEAGUE]) await deliveries.getByText(`Email to ${whom}: delivered`).waitFor();
    expect(mail.received.map(({ to }) => to).sort()).toEqual(['ada@example.com', COLLEAGUE]);
    await checkPage(opened, 'schedules-run');
    await press(button(item(), 'Runs'));
    await dialog().getByText('completed', { exact: true }).waitFor();
    await checkPage(opened, 'schedules-runs');
    await press(dialog().getByRole('link', { name: 'Open the conversation' }));
    await page
      .getByRole('article', { name: 'Answer' })
      .getByText(/lentil soup/)
      .first()
      .waitFor();
    await page.goBack();
    await page.getByRole('tab', { name: 'Schedules' }).click();
  });

  it('are deleted, without script errors or requests to other origins', async () => {
    const { page } = opened;
    await press(button(item(), 'Delete'));
    await checkPage(opened, 'schedules-delete');
    await press(button(dialog(), 'Delete'));
    await page.getByText('No schedules yet').waitFor();
    expect(opened.errors).toEqual([]);
    expect(opened.foreignRequests).toEqual([]);
  });
});
