import { expect, it } from '@jest/globals';
import { button, go, items, type Stage } from './stage.ts';

/** Tests creating, running and changing agents, and their memories. */
export function walkAgents(stage: () => Stage): void {
  it('creates an agent and runs it with its steps', async () => {
    const { page, opened } = stage();
    await go(page, 'Agents');
    await button(page, 'New agent').click();
    await page.getByLabel('Name').fill('Travel desk');
    await page.getByLabel('Instructions').fill('You answer questions about travel from the handbook.');
    await button(page, 'Create').click();
    await page.getByRole('heading', { level: 1, name: 'Travel desk' }).waitFor();
    await page.getByLabel('Message').fill('Up to how many euros a day are meals refunded?');
    const held = Promise.withResolvers<void>();
    await page.route('**/execute/stream', async (route) => {
      await held.promise;
      await route.continue();
    });
    await button(page, 'Run').click();
    await page.getByText('Loading the next step…').waitFor();
    expect(await page.getByRole('article', { name: 'Answer' }).count()).toBe(0);
    held.resolve();
    await page.getByRole('list', { name: 'Agent steps' }).waitFor();
    // Only now: it would take over the request that the handler still holds.
    await page.unroute('**/execute/stream');
    await page.getByText(/\d tokens$/).waitFor();
    expect(await opened.violations()).toEqual([]);
    await opened.picture('agent');
  });

  it('stores the run with its steps', async () => {
    const { page, opened } = stage();
    await page.getByRole('tab', { name: 'Run history' }).click();
    await page.getByRole('button', { name: /how many euros/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('list', { name: 'Agent steps' }).getByText('search_documents').first().click();
    await dialog.locator('pre').first().waitFor();
    await dialog.getByText(/^\d+\.\d s · .*\d tokens$/).waitFor();
    expect(await opened.violations()).toEqual([]);
    await page.keyboard.press('Escape');
  });

  it('adds, finds, corrects and deletes a memory', async () => {
    const { page, opened } = stage();
    await page.getByRole('tab', { name: 'Memories' }).click();
    await page.getByText('No memories yet').waitFor();
    await button(page, 'Add memory').click();
    await page.getByLabel('Content').fill('The team travels to Oslo every spring.');
    await page.getByLabel('Importance (%)').fill('80');
    await button(page.getByRole('dialog'), 'Add').click();
    await page.getByText('The team travels to Oslo every spring.').waitFor();
    await page.getByLabel('Search memories').fill('journeys to Oslo');
    await page.keyboard.press('Enter');
    await page.getByText(/match \d+%/).waitFor();
    expect(await opened.violations()).toEqual([]);
    await button(page, 'Edit').click();
    await page.getByLabel('Content').fill('The team travels to Bergen every spring.');
    await button(page.getByRole('dialog'), 'Save').click();
    await button(page, 'Show all').click();
    await page.getByText('The team travels to Bergen every spring.').waitFor();
    await button(items(page).filter({ hasText: 'Bergen' }), 'Delete').click();
    await button(page.getByRole('dialog'), 'Delete').click();
    await page.getByText('No memories yet').waitFor();
  });

  it('changes an agent', async () => {
    const { page } = stage();
    await page.getByRole('tab', { name: 'Settings' }).click();
    await page.getByLabel('Description').fill('Knows the rules of travel');
    await button(page, 'Save').click();
    await page.getByText('The agent is saved.', { exact: true }).waitFor();
    await page.getByText('Knows the rules of travel').first().waitFor();
    expect(await button(page, 'Discard changes').count()).toBe(0);
  });

  it('creates an agent from a template with its variables', async () => {
    const { page, opened } = stage();
    await go(page, 'Agents');
    await button(page, 'Use a template').click();
    await page.getByRole('button', { name: /^Company assistant/ }).click();
    expect(await opened.violations()).toEqual([]);
    await page.getByLabel('company').fill('Acme Paper');
    await button(page.getByRole('dialog'), 'Create').click();
    await page.getByRole('heading', { level: 1, name: 'Company assistant' }).waitFor();
    await page.getByText('Ask me anything about Acme Paper').waitFor();
    await button(page, 'Delete').click();
    await button(page.getByRole('dialog'), 'Delete').click();
    await page.getByRole('heading', { level: 1, name: 'Agents' }).waitFor();
  });
}
