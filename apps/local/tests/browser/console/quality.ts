import { expect, it } from '@jest/globals';
import { waitUntil } from '@lectern/testing';
import { button, go, items, type Stage } from './stage.ts';

const NOWHERE = 'xylophone zwieback';

/** Tests search insights, questions and test cases. */
export function walkQuality(stage: () => Stage): void {
  it('shows queries and clicks, and starts a synonym for a query without results', async () => {
    const { page, opened, lectern } = stage();
    const { api } = lectern;
    await go(page, 'Search');
    for (const query of ['parental leave', NOWHERE]) {
      await page.getByLabel('Search for').fill(query);
      await page.keyboard.press('Enter');
      await page.waitForURL(new RegExp(`q=${query.split(' ')[0]}`));
      if (query === NOWHERE) await page.getByText('No documents match').waitFor();
      else {
        // Until then the page shows the documents of the empty query.
        await page.getByRole('listitem').locator('mark').first().waitFor();
        await page.getByRole('list').getByRole('heading', { level: 2 }).first().getByRole('button').click();
        await page.getByRole('dialog').waitFor();
        await page.keyboard.press('Escape');
      }
    }
    const isCounted = async () => {
      const { totals } = await api.ok('GET', '/api/v1/search-analytics');
      const missed = await api.all('/api/v1/search-analytics/queries?withoutResults=true');
      return totals.clicked > 0 && missed.some(({ query }) => query === NOWHERE);
    };
    await waitUntil(isCounted, { what: 'the searches and the click to be stored', timeoutMs: 30_000 });
    await go(page, 'Search insights');
    await page.getByRole('row', { name: /parental leave/ }).waitFor();
    expect(await opened.violations()).toEqual([]);
    await opened.picture('search-insights');
    await page.getByRole('tab', { name: 'Without results' }).click();
    await page.getByRole('link', { name: `Add a synonym for ${NOWHERE}` }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByLabel('A search for').inputValue()).toBe(NOWHERE);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  it('lists questions that need a review, makes one a test case and marks it as done', async () => {
    const { page, opened, lectern } = stage();
    const { api } = lectern;
    const message = 'Which telescope discovered the moons of Neptune?';
    await api.ok('POST', `/api/v1/teams/${api.teamId}/chat`, { message });
    await go(page, 'Questions');
    const item = items(page).filter({ hasText: message }).first();
    await item.getByText('unanswered').waitFor();
    expect(await opened.violations()).toEqual([]);
    await opened.picture('questions');
    await button(item, 'Make test case').click();
    await item.getByRole('link', { name: 'Edit test case' }).waitFor();
    await button(item, 'Mark as done').click();
    await item.waitFor({ state: 'detached' });
    await page.getByLabel('Status').selectOption('done');
    await item.getByRole('link', { name: 'Edit test case' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('The reply').selectOption('refusal');
    expect(await opened.violations()).toEqual([]);
    await button(dialog, 'Save').click();
    await page.getByText('must state that there is no answer').waitFor();
  });

  it('runs test cases, shows the results and sets a schedule', async () => {
    const { page, opened } = stage();
    await go(page, 'Test cases');
    await page.getByRole('tab', { name: 'Questions' }).click();
    await button(page, 'Add test case').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Question').fill('How long are bicycles leased?');
    await dialog.getByLabel('Contains each of these texts').fill('three years\nnot in the reply');
    await button(dialog, 'Add').click();
    await items(page).filter({ hasText: 'bicycles leased' }).waitFor();
    await page.getByRole('tab', { name: 'Results' }).click();
    for (let run = 1; run <= 2; run += 1) {
      await button(page, 'Run now').click();
      await page.getByRole('region', { name: 'Results' }).getByText('completed').waitFor();
    }
    await page.getByText('an expected text is missing').waitFor();
    await page.getByRole('heading', { name: 'Passed and confidence' }).waitFor();
    expect(await opened.violations()).toEqual([]);
    await opened.picture('test-cases');
    await page.getByRole('tab', { name: 'Schedule' }).click();
    await page.getByLabel('Run the test cases').selectOption('daily');
    await page.getByLabel('Time zone').fill('Europe/Berlin');
    expect(await opened.violations()).toEqual([]);
    await button(page, 'Save').click();
    await page.getByText('Next run:').waitFor();
  });
}
