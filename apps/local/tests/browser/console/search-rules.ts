import { expect, it } from '@jest/globals';
import { button, go, items, type Stage } from './stage.ts';

/** Tests the rules that pin and hide documents. */
export function walkSearchRules(stage: () => Stage): void {
  it('pins a document to a search, and turns the rule off again', async () => {
    const { page, opened, lectern } = stage();
    const [collection] = await lectern.api.all('/api/v1/collections');
    const content = 'Read this before you order a new laptop.';
    const path = `/api/v1/collections/${collection.id}/documents`;
    const { id } = await lectern.api.ok('POST', path, { title: 'Ordering of zebrafish', content });
    await lectern.api.until(`/api/v1/documents/${id}`, ({ status }) => status === 'indexed');

    await go(page, 'Search rules');
    await button(page, 'Add rule').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('A search for').fill('qwertable');
    await dialog.getByLabel('Find a document').fill('zebraf');
    await button(dialog, 'Pin Ordering of zebrafish').click();
    await dialog.getByLabel('Position').fill('1');
    expect(await opened.violations()).toEqual([]);
    await button(dialog, 'Add').click();
    const item = items(page).filter({ hasText: 'qwertable' });
    await item.getByText('Ordering of zebrafish').waitFor();
    await opened.picture('search-rules');
    const download = page.waitForEvent('download');
    await button(page, 'Export').click();
    await button(dialog, 'Export').click();
    expect((await download).suggestedFilename()).toBe('search-rules.json');

    await go(page, 'Search');
    await page.getByLabel('Search for').fill('Qwertable');
    await page.getByLabel('Search for').press('Enter');
    await page.getByText('pinned by a search rule').waitFor();
    expect(await opened.violations()).toEqual([]);
    await page.getByLabel('Search for').fill('zebrafihs');
    await page.getByLabel('Search for').press('Enter');
    await button(page, 'zebrafish').click();
    await page.getByRole('link', { name: 'Pin or hide documents for this search' }).click();
    await button(dialog, 'Close').click();
    await button(item, 'Turn off').click();
    await button(item, 'Turn on').waitFor();
    await button(item, 'Delete').click();
    await button(dialog, 'Delete').click();
    await page.getByText('No search rules yet').waitFor();
  });
}
