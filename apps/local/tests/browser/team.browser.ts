import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitUntil } from '@lectern/testing';
import { startChromium } from '@lectern/testing/chromium';
import type { Browser, Page } from 'playwright-core';
import { type Lectern, startLectern } from '../support/start-lectern.ts';
import { button, go } from './console/stage.ts';
import { checkPage } from './support/check-page.ts';
import { ownerLink, PASSWORD } from './support/create-owner.ts';
import { type ConsolePage, openPage } from './support/open-page.ts';

const NAME = 'Acme <img src=x onerror=alert(1)>';
const LOGO =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 32"><rect width="64" height="32" fill="#0f766e"/></svg>';

let lectern: Lectern;
let browser: Browser;
let owner: ConsolePage;
let colleague: ConsolePage;
/** A browser in which nobody is signed in, with German as its language. */
let visitor: ConsolePage;
beforeAll(async () => {
  [lectern, browser] = await Promise.all([startLectern(), startChromium()]);
  owner = await openPage(browser, lectern.baseUrl);
  colleague = await openPage(browser, lectern.baseUrl);
  visitor = await openPage(browser, lectern.baseUrl, { locale: 'de-AT' });
  for (const { page } of [owner, colleague, visitor]) {
    page.on('dialog', () => {
      throw new Error('A script of a name ran.');
    });
  }
});
afterAll(async () => {
  await browser?.close();
  await lectern?.stop();
});

const openTab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true }).click();
const closeDialog = async (page: Page) => {
  // A new dialog listens shortly after it appears.
  await waitUntil(
    async () => {
      await page.keyboard.press('Escape');
      return (await page.getByRole('dialog').count()) === 0;
    },
    { what: 'the dialog to close', timeoutMs: 5_000 },
  );
};
const accentOf = (page: Page) =>
  page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--accent')");
const menuOf = (page: Page) => page.getByRole('complementary', { name: 'Menu' });

async function join(opened: ConsolePage, link: string, name: string, email?: string): Promise<void> {
  const { page } = opened;
  await page.goto(link);
  await page.getByLabel('Your name').fill(name);
  if (email !== undefined) await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(PASSWORD);
  await button(page, 'Create account').click();
}

describe('the branding in the console', () => {
  it('is set by an admin and appears at once, as text and not as HTML', async () => {
    const { page } = owner;
    await join(owner, await ownerLink(lectern), 'Ada', 'ada@example.com');
    await page.getByText('Welcome, Ada.').waitFor();
    await go(page, 'Settings');
    await openTab(page, 'Branding');
    await page.getByLabel('Name', { exact: true }).fill(NAME);
    await page.getByLabel('Color', { exact: true }).fill('#ffe066');
    await page.getByText(/For readable text, the pages use/).waitFor();
    await page
      .getByLabel('Logo', { exact: true })
      .setInputFiles({ name: 'logo.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(LOGO) });
    await page.getByText('logo.svg is stored when you save').waitFor();
    await checkPage(owner, 'branding');
    await button(page, 'Save').click();
    await page.getByText(/^The .* (is|are) saved\.$/).waitFor();
    await menuOf(page).getByText(NAME).waitFor();
    expect(await page.title()).toBe(`Settings · ${NAME}`);
    expect(await accentOf(page)).not.toContain('#4338ca');
    const isDrawn = () => page.evaluate<boolean>("document.querySelector('.sidebar .logo-image').naturalWidth > 0");
    await waitUntil(isDrawn, { what: 'the logo', timeoutMs: 10_000 });
    await checkPage(owner, 'branding-saved');
  });

  it('rejects a logo with a script, and names the field', async () => {
    const { page } = owner;
    const buffer = Buffer.from(LOGO.replace('<rect', '<script>alert(1)</script><rect'));
    await page.getByLabel('Logo', { exact: true }).setInputFiles({ name: 'x.svg', mimeType: 'image/svg+xml', buffer });
    await button(page, 'Save').click();
    await page
      .getByText(/must not contain scripts/)
      .first()
      .waitFor();
    expect(await page.getByLabel('Logo', { exact: true }).getAttribute('aria-invalid')).toBe('true');
  });

  it('is on the sign-in page, in the language of the browser', async () => {
    const { page } = visitor;
    await page.goto(`${lectern.baseUrl}/console/chat`);
    await page.getByRole('heading', { name: `Bei ${NAME} anmelden` }).waitFor();
    expect(await page.getAttribute('html', 'lang')).toBe('de');
    expect(await page.title()).toBe(`Anmelden · ${NAME}`);
    await page.getByLabel(/^E.Mail$/).fill('nobody@example.com');
    await page.getByLabel('Passwort', { exact: true }).fill('wrong password');
    await button(page, 'Anmelden').click();
    await page.getByText(/Adresse oder das Passwort ist falsch/).waitFor();
    await checkPage(visitor, 'branding-sign-in');
  });

  it('is reset with the keyboard', async () => {
    const { page } = owner;
    await button(page, 'Reset').focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Reset the branding?' });
    await button(dialog, 'Reset').focus();
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await menuOf(page).getByText('Lectern', { exact: true }).waitFor();
    expect(await accentOf(page)).toContain('#4338ca');
    expect(await page.title()).toBe('Settings · Lectern');
  });
});

describe('groups in the console', () => {
  it('are created, and show the principal to copy', async () => {
    const { page } = owner;
    await go(page, 'People');
    await button(page, 'Invite').click();
    await page.getByRole('dialog').getByLabel('Email').fill('grace@example.com');
    await button(page, 'Create link').click();
    const invitation = await page.getByLabel('Link', { exact: true }).inputValue();
    await closeDialog(page);
    await join(colleague, invitation, 'Grace <b>Hopper</b>');
    await colleague.page.getByRole('heading', { level: 1, name: 'Ask' }).waitFor();
    await openTab(page, 'Groups');
    await button(page, 'New group').click();
    await page.getByRole('dialog').getByLabel('Name').fill('Support team');
    await page.keyboard.press('Enter');
    const members = page.getByRole('dialog', { name: 'Members of Support team' });
    await members.getByLabel('Add a person').fill('GRACE@');
    await button(members, 'Add Grace <b>Hopper</b>').click();
    await button(members, 'Remove Grace <b>Hopper</b>').waitFor();
    await checkPage(owner, 'groups-members');
    await closeDialog(page);
    expect(await page.getByLabel('Principal').inputValue()).toBe('group:lectern/Support%20team');
    await page.getByText('1 member · managed here').waitFor();
    await checkPage(owner, 'groups');
  });

  it('give their members a role, whose pages appear, and take it away', async () => {
    const { page } = owner;
    await page.getByLabel('Role of members').selectOption('editor');
    const pagesOf = async () => {
      await colleague.page.reload();
      await colleague.page.getByRole('heading', { level: 1 }).waitFor();
      return menuOf(colleague.page).getByRole('navigation').getByRole('link').allTextContents();
    };
    const hasPage = async (name: string) => (await pagesOf()).includes(name);
    await waitUntil(() => hasPage('Collections'), { what: 'the pages of an editor', timeoutMs: 30_000 });
    await colleague.page.goto(`${lectern.baseUrl}/console/people`);
    await colleague.page.getByText('You cannot manage people').waitFor();
    await button(page, 'Members').click();
    await button(page.getByRole('dialog'), 'Remove Grace <b>Hopper</b>').click();
    await page.getByText('No members yet.').waitFor();
    await closeDialog(page);
    await waitUntil(async () => !(await hasPage('Collections')), { what: 'the pages to go', timeoutMs: 30_000 });
  });

  it('are renamed and deleted', async () => {
    const { page } = owner;
    await button(page, 'Rename').click();
    await page.getByRole('dialog').getByLabel('Name').fill('Help desk');
    await button(page.getByRole('dialog'), 'Rename').click();
    await page.getByRole('heading', { name: 'Help desk' }).waitFor();
    await button(page, 'Delete').click();
    await button(page.getByRole('dialog'), 'Delete').click();
    await page.getByText(/No groups yet/).waitFor();
  });
});

describe('SCIM tokens in the console', () => {
  it('are shown once, and deactivate a signed-in person within a minute', async () => {
    const { page } = owner;
    await openTab(page, 'SCIM');
    await button(page, 'New token').click();
    const form = page.getByRole('dialog', { name: 'New SCIM token' });
    await form.getByLabel('Name', { exact: true }).fill('Okta provisioning');
    await form.getByLabel('Short name of the provider').fill('lectern');
    await button(form, 'Create token').click();
    await form
      .getByText(/must not be lectern/)
      .first()
      .waitFor();
    await form.getByLabel('Short name of the provider').fill('okta');
    await page.keyboard.press('Enter');
    const shown = page.getByRole('dialog', { name: 'Enter these at your provider' });
    const token = await shown.getByLabel('Token').inputValue();
    const url = await shown.getByLabel('Base URL').inputValue();
    await checkPage(owner, 'scim-token');
    await closeDialog(page);
    await page.getByText(/okta · used never/).waitFor();
    expect(await page.content()).not.toContain(token);
    await checkPage(owner, 'scim');

    const scim = async (method: string, path: string, body?: object) => {
      const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/scim+json' };
      const response = await fetch(`${url}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
      expect(response.status).toBe(200);
      return (await response.json()) as { readonly Resources: readonly { readonly id: string }[] };
    };
    const filter = encodeURIComponent('userName eq "grace@example.com"');
    const found = await scim('GET', `/Users?filter=${filter}`);
    const startedAt = performance.now();
    await scim('PATCH', `/Users/${found.Resources[0]?.id}`, {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
      Operations: [{ op: 'replace', value: { active: false } }],
    });
    const isOut = async () => {
      await colleague.page.reload();
      return (await colleague.page.getByLabel('Password').count()) > 0;
    };
    await waitUntil(isOut, { what: 'the colleague to be signed out', timeoutMs: 60_000 });
    expect(performance.now() - startedAt).toBeLessThan(60_000);
  });

  it('stop working when they are revoked', async () => {
    const { page } = owner;
    await button(page, 'Revoke').click();
    await button(page.getByRole('dialog'), 'Revoke').click();
    await page.getByText(/No tokens\. Create one/).waitFor();
  });
});

describe('the language of a person', () => {
  it('is that of the console, and of the sign-in page after the next sign-out', async () => {
    const { page } = owner;
    await page.goto(`${lectern.baseUrl}/console/account`);
    await page.getByLabel('Your language').selectOption('de');
    await button(page, 'Save language').click();
    // The page reloads.
    await page.getByRole('heading', { level: 1, name: 'Ihr Konto' }).waitFor();
    await checkPage(owner, 'account-language');
    await page.getByRole('complementary', { name: 'Menü' }).getByRole('button', { name: 'Abmelden' }).click();
    await page.getByRole('heading', { name: 'Bei Lectern anmelden' }).waitFor();
  });
});

describe('these pages', () => {
  it('cause no script errors and no requests to other origins', () => {
    for (const { errors, foreignRequests } of [owner, colleague, visitor]) {
      expect(errors).toEqual([]);
      expect(foreignRequests).toEqual([]);
    }
  });
});
