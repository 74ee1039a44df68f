import { expect } from '@jest/globals';
import { waitUntil } from '@lectern/testing';
import type { Page } from 'playwright-core';
import type { Lectern } from '../../support/start-lectern.ts';

/** A password that is long enough. */
export const PASSWORD = 'a long enough sentence';

/** Waits until Lectern has started, and returns what it has printed. */
export async function printedText({ launcher }: Lectern): Promise<string> {
  const isPrinted = async () => launcher.output().includes('Ctrl-C');
  await waitUntil(isPrinted, { what: 'the complete output', timeoutMs: 120_000, intervalMs: 100 });
  return launcher.output();
}

/** Returns the link with which the first person creates the owner account. */
export const ownerLink = async (lectern: Lectern): Promise<string> =>
  String(/Create owner +(\S+)/.exec(await printedText(lectern))?.[1]);

/** Creates the owner account of Ada, and signs in. */
export async function createOwner(page: Page, lectern: Lectern): Promise<void> {
  await page.goto(await ownerLink(lectern));
  await page.getByLabel('Your name').fill('Ada');
  await page.getByLabel('Email').fill('ada@example.com');
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Create account', exact: true }).click();
  await page.getByText('Welcome, Ada.').waitFor();
}

/** Creates an account like an invited person does. Returns its email address. */
export async function joinTeam(lectern: Lectern, name: string, role: string): Promise<string> {
  const email = `${name.toLowerCase()}@example.com`;
  const { url } = await lectern.api.ok('POST', '/api/v1/invitations', { email, role });
  const response = await fetch(`${lectern.baseUrl}/api/v1/account-links/use`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Lectern-CSRF': '1' },
    body: JSON.stringify({ token: url.split('#')[1], name, password: PASSWORD }),
  });
  expect(response.status).toBe(200);
  return email;
}

/** Signs in on the sign-in page. */
export async function signIn(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}
