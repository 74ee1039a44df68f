import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, it } from '@jest/globals';
import { temporaryFolder } from '@lectern/testing';
import { SAMPLE_FILES } from './sample-files.ts';
import { button, go, type Stage } from './stage.ts';

/** Tests uploads, indexing, search, filters and chat. */
export function walkDocuments(stage: () => Stage): void {
  it('uploads a folder into a new collection, and shows the progress and the broken file', async () => {
    const { page, opened } = stage();
    await go(page, 'Collections');
    await page.getByText('No collections yet').waitFor();
    await button(page, 'New collection').click();
    await page.getByLabel('Name').fill('Handbook');
    await button(page, 'Create').click();
    await page.getByRole('heading', { level: 1, name: 'Handbook' }).waitFor();
    const folder = await temporaryFolder();
    for (const { name, text } of SAMPLE_FILES) {
      const path = join(folder.path, 'handbook', name);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, text);
    }
    await page.getByLabel('Folder').setInputFiles(join(folder.path, 'handbook'));
    const progress = page.getByRole('region', { name: 'Job progress' });
    await progress.getByRole('progressbar').waitFor();
    await progress.getByText('completed with errors').waitFor();
    await progress.getByText('broken.pdf').waitFor();
    const table = page.getByRole('table', { name: 'Documents' });
    await table.getByText('indexed', { exact: true }).nth(3).waitFor();
    await table.getByText('failed', { exact: true }).waitFor();
    expect(await opened.violations()).toEqual([]);
    await opened.picture('collection');
    await folder.remove();
  });

  it('edits the collection, and adds a document', async () => {
    const { page } = stage();
    await button(page, 'Edit').click();
    await page.getByRole('dialog').getByLabel('Description').fill('How we work');
    await button(page.getByRole('dialog'), 'Save').click();
    await page.getByRole('main').getByText('How we work').waitFor();
    await button(page, 'Add document').click();
    await page.getByLabel('Title').fill('Bicycles');
    await page.getByLabel('Text').fill('# Bicycles\n\nBicycles are leased for three years.');
    await button(page.getByRole('dialog'), 'Create').click();
    await page
      .getByRole('row', { name: /Bicycles/ })
      .getByText('indexed', { exact: true })
      .waitFor();
  });

  it('searches with highlights, filters by facets, and opens a passage in its document', async () => {
    const { page, opened } = stage();
    await go(page, 'Search');
    await page.getByLabel('Search for').fill('parental leave');
    await page.keyboard.press('Enter');
    await page.getByRole('listitem').locator('mark').first().waitFor();
    await page.getByRole('checkbox', { name: /^markdown/ }).check();
    await page.waitForURL(/type=markdown/);
    await page.getByRole('region', { name: 'Results' }).and(page.locator('[aria-busy=false]')).waitFor();
    expect(new URL(page.url()).searchParams.getAll('type')).toEqual(['markdown']);
    expect(await opened.violations()).toEqual([]);
    await opened.picture('search');
    await page.getByRole('region', { name: 'Results' }).getByRole('button', { name: /leave/i }).first().click();
    const mark = page.getByRole('dialog').locator('mark');
    await mark.waitFor();
    expect(await mark.textContent()).toContain('18 weeks');
    expect(await opened.violations()).toEqual([]);
    await opened.picture('passage');
    await page.keyboard.press('Escape');
  });

  it('answers a chat with citations that open their passage, and shows the confidence with its signals', async () => {
    const { page, opened } = stage();
    await go(page, 'Chat');
    await page.getByLabel('Message').fill('How many weeks of parental leave do parents have?');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/chat\/conv_/);
    await button(page, 'Regenerate').waitFor();
    await page.getByText(/confidence · \d+%/).click();
    await page.getByText('Supported by sources').waitFor();
    expect(await page.getByRole('progressbar').count()).toBe(4);
    expect(await opened.violations()).toEqual([]);
    await opened.picture('chat');
    await page.getByRole('button', { name: 'Source 1' }).first().click();
    const mark = page.getByRole('dialog').locator('mark');
    await mark.waitFor();
    expect(await mark.textContent()).toContain('18 weeks');
    await page.keyboard.press('Escape');
    await page.reload();
    await page.getByRole('button', { name: 'Source 1' }).first().waitFor();
  });

  it('regenerates the last reply, and continues with another model', async () => {
    const { page } = stage();
    await button(page, 'Regenerate').click();
    await button(page, 'Stop').waitFor({ state: 'detached' });
    await button(page, 'Regenerate').waitFor();
    expect(await page.getByRole('article', { name: 'Reply' }).count()).toBe(1);
    await page.getByLabel('Model').selectOption('builtin-extractive');
    await page.getByLabel('Message').fill('And up to how many euros are meals refunded?');
    await button(page, 'Ask').click();
    await page.getByRole('article', { name: 'Reply' }).nth(1).getByText(/45/).first().waitFor();
  });

  it('lists conversations, and deletes one', async () => {
    const { page } = stage();
    const list = page.getByRole('complementary', { name: 'Conversations' });
    await list.getByRole('link', { name: /parental leave/ }).waitFor();
    await button(page, 'Stop').waitFor({ state: 'detached' });
    await button(page, 'Delete').click();
    await button(page.getByRole('dialog'), 'Delete').click();
    await page.getByText('Ask your documents').waitFor();
    await page.getByText('Your conversations will appear here.').waitFor();
  });
}
