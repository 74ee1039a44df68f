import { expect, it } from '@jest/globals';
import { go, type Stage } from './stage.ts';

/** Tests the choice of a search model on an installation without the packages that run models. */
export function walkModels(stage: () => Stage): void {
  it('shows the models, which one is in use, and what the others need', async () => {
    const { page, opened } = stage();
    await go(page, 'Models');
    await page
      .getByRole('row', { name: /builtin-extractive/ })
      .getByText('Runs on this server: nothing leaves it.')
      .waitFor();
    const builtIn = page.getByRole('listitem', { name: 'Built in' });
    await builtIn.getByText('in use').waitFor();
    const small = page.getByRole('listitem', { name: 'Small, English' });
    await small.getByText('npm run models -- install').waitFor();
    expect(await small.getByRole('button').count()).toBe(0);
    expect(await opened.violations()).toEqual([]);
    await opened.picture('models');
  });
}
