import { expect, it } from '@jest/globals';
import { button, go, items, type Stage } from './stage.ts';

/** Tests synonyms and packs. */
export function walkSynonyms(stage: () => Stage): void {
  it('adds, finds, edits, turns off and deletes a synonym', async () => {
    const { page, opened } = stage();
    await go(page, 'Synonyms');
    await button(page, 'Add synonym').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Words with the same meaning').fill('Kudos\nshout-out');
    expect(await opened.violations()).toEqual([]);
    await button(dialog, 'Add').click();
    const item = items(page).filter({ hasText: 'Kudos' });
    await item.getByText('Kudos, shout-out').waitFor();
    await page.getByLabel('Find a word').fill('SHOUT');
    await item.waitFor();
    await button(item, 'Edit').click();
    await dialog.getByLabel('Direction').selectOption('one-way');
    await dialog.getByLabel('A search for').fill('praise');
    await button(dialog, 'Save').click();
    await item.getByText('praise → Kudos, shout-out').waitFor();
    await button(item, 'Turn off').click();
    await button(item, 'Turn on').waitFor();
    await opened.picture('synonyms');
    await button(item, 'Delete').click();
    await button(dialog, 'Delete').click();
    await page.getByText('No matching synonyms').waitFor();
    await page.getByLabel('Find a word').fill('');
  });

  it('imports synonyms, names invalid lines, and exports them', async () => {
    const { page, opened } = stage();
    await button(page, 'Import').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Synonyms', { exact: true }).fill('PTO, paid time off\nalone');
    await button(dialog, 'Import').click();
    await dialog.getByRole('alert').getByText('line 2').first().waitFor();
    expect(await opened.violations()).toEqual([]);
    await dialog.getByLabel('Synonyms', { exact: true }).fill('PTO, paid time off\nlaptop => notebook');
    await button(dialog, 'Import').click();
    await dialog.getByText('Imported 2 synonyms.').waitFor();
    await button(dialog, 'Done').click();
    await page.getByText('laptop → notebook').waitFor();
    const download = page.waitForEvent('download');
    await button(page, 'Export').click();
    expect((await download).suggestedFilename()).toBe('synonyms-custom.txt');
  });

  it('turns a pack off and on, and one of its synonyms', async () => {
    const { page, opened } = stage();
    await page.getByLabel('Source').selectOption('workplace-en');
    await page.getByLabel('Find a word').fill('payslip');
    const item = items(page).filter({ hasText: 'payslip' }).first();
    await button(item, 'Turn off').click();
    await button(item, 'Turn on').click();
    await button(item, 'Turn off').waitFor();
    await page.getByRole('tab', { name: 'Packs' }).click();
    await button(page, 'Turn off workplace-de').click();
    await button(page, 'Turn on workplace-de').waitFor();
    expect(await opened.violations()).toEqual([]);
    await button(page, 'Turn on workplace-de').click();
    await button(page, 'Turn off workplace-de').waitFor();
  });
}
