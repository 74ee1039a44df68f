import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, it } from '@jest/globals';
import { temporaryFolder, waitUntil } from '@lectern/testing';
import type { Page } from 'playwright-core';
import { checkPage } from '../support/check-page.ts';
import { SAMPLE_FILES } from './sample-files.ts';
import { button, go, type Stage } from './stage.ts';

const SEARCHING = 'Searching your documents…';

const field = (page: Page) => page.getByRole('textbox', { name: 'Your question' });
const answers = (page: Page) => page.getByRole('article', { name: 'Answer' });

/** Returns whether a heading is completely in the window, above the field for a question. */
const isInView = (page: Page, heading: string): Promise<boolean> =>
  page.evaluate<boolean>(`(() => {
    const found = [...document.querySelectorAll('h2')].find((h) => h.textContent === ${JSON.stringify(heading)});
    const { top, bottom } = found.getBoundingClientRect();
    return top >= 0 && bottom <= document.querySelector('form.composer').getBoundingClientRect().top;
  })()`);

const COMPOSER_IS_AT_END = `(() => {
  const { bottom } = document.querySelector('form.composer').getBoundingClientRect();
  return bottom <= innerHeight && bottom > innerHeight - 40;
})()`;

const REPLY = `# Leave

1. Parents have **18 weeks**, see [the portal](https://example.com/).
2. Ask your manager with \`leave request\`.

| Who | How long | Where it is written down |
|---|--:|---|
| Parents | 18 weeks | The handbook of the whole company |
| Everybody else | 30 days | The handbook |

\`\`\`ts
const weeks: number = 18; // paid
export function isLong(answer: string): boolean { return answer.length > 1_000 && answer.includes('weeks'); }
\`\`\`

> A quote <img src=x onerror=alert(1)> <script>alert(1)</script>

https://example.com/${'a-very-long-address-'.repeat(12)}`;

const event = (name: string, data: object) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

/** A stream with the Markdown of a language model, which the built-in model does not write. */
const MARKDOWN = [
  event('message_start', { id: 'msg_1', conversationId: 'conv_1' }),
  event('tool_call', { tool: 'search_documents', params: { query: 'leave' } }),
  event('tool_result', { tool: 'search_documents', result: { count: 1 } }),
  event('content_delta', { delta: REPLY }),
].join('');

/** A complete reply in a conversation that does not exist. */
const COMPLETE = [
  event('message_start', { id: 'msg_2', conversationId: 'conv_2' }),
  event('content_delta', { delta: 'You are in Chat.' }),
  event('sources', { sources: [] }),
  event('message_end', { usage: { promptTokens: 1, completionTokens: 1, totalTokens: 2 } }),
].join('');

/** Delays the requests for an address until the returned function is called. */
async function hold(page: Page, url: string | RegExp): Promise<() => Promise<void>> {
  const held = Promise.withResolvers<void>();
  await page.route(url, async (route) => {
    await held.promise;
    await route.continue().catch(() => undefined);
  });
  return async () => {
    held.resolve();
    await page.unroute(url);
  };
}

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
    expect(await page.getByRole('region', { name: 'Documents' }).count()).toBe(1);
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
    // Analytics count each search of a key, so a key does not search while it is typed.
    await page.getByLabel('Search for').pressSequentially('parental', { delay: 400 });
    expect(new URL(page.url()).search).toBe('');
    await page.getByLabel('Search for').fill('parental leave');
    await page.keyboard.press('Enter');
    await page.waitForURL(/q=parental\+leave/);
    await page.getByRole('listitem').locator('mark').first().waitFor();
    expect(
      await page
        .getByRole('region', { name: 'Results' })
        .getByText(/##|\*\*|\]\(/)
        .count(),
    ).toBe(0);
    await page.getByRole('checkbox', { name: /^markdown/ }).check();
    await page.waitForURL(/type=markdown/);
    await page.getByRole('region', { name: 'Results' }).and(page.locator('[aria-busy=false]')).waitFor();
    expect(new URL(page.url()).searchParams.getAll('type')).toEqual(['markdown']);
    expect(await opened.violations()).toEqual([]);
    await opened.picture('search');
    await page.getByRole('region', { name: 'Results' }).getByRole('button', { name: /leave/i }).first().click();
    await page.getByRole('dialog').locator('mark', { hasText: '18 weeks' }).waitFor();
    expect(await opened.violations()).toEqual([]);
    await opened.picture('passage');
    await page.getByText('Who can read this').click();
    await page.getByText('Everyone with access to the collection').waitFor();
    expect(await opened.violations()).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it('suggests what to try when nothing matches', async () => {
    const { page, opened } = stage();
    const search = async (query: string) => {
      await page.getByLabel('Search for').fill(query);
      await page.keyboard.press('Enter');
    };
    await search('zzzzqqqq');
    await page.getByRole('heading', { name: 'No documents match' }).waitFor();
    // Until the next search has an answer, it is unknown whether something matches.
    const release = await hold(page, '**/search/faceted');
    await search('leave');
    await page.getByRole('status').getByText('Searching…').waitFor();
    expect(await page.getByRole('heading', { name: 'No documents match' }).count()).toBe(0);
    await release();
    await page.getByRole('listitem').locator('mark').first().waitFor();
    await search('zzzzqqqq');
    await page.getByRole('heading', { name: 'No documents match' }).waitFor();
    await checkPage(opened, 'search-none');
    await page.setViewportSize({ width: 1_280, height: 820 });
    await button(page, 'Clear the filters').click();
    await page.waitForURL(/q=zzzzqqqq$/);
    await page.getByRole('link', { name: 'Ask it as a question' }).click();
    await page.getByRole('textbox', { name: 'Your question' }).waitFor();
    expect(await field(page).inputValue()).toBe('zzzzqqqq');
  });

  it('orders the results by date, and saves, renames and deletes searches', async () => {
    const { page, opened } = stage();
    await go(page, 'Search');
    await page.getByLabel('Search for').fill('weeks of leave');
    await page.keyboard.press('Enter');
    await page.getByLabel('Sort by').selectOption('Oldest first');
    await page.waitForURL(/q=weeks\+of\+leave&sort=oldest$/);
    const results = page.getByRole('region', { name: 'Results' });
    await results.and(page.locator('[aria-busy=false]')).waitFor();
    const dates = await results
      .locator('time')
      .evaluateAll((times) => times.map((time) => time.getAttribute('datetime')));
    expect(dates.length).toBeGreaterThan(0);
    expect(dates).toEqual(dates.toSorted());
    // The options of a ranking have no effect on an order by date.
    expect(await page.getByRole('checkbox', { name: 'Group near-duplicates' }).count()).toBe(0);

    const saved = page.getByRole('group', { name: 'Saved searches' });
    const dialog = page.getByRole('dialog');
    await button(saved, 'Save this search').click();
    await dialog.getByText('Saved searches stay in this browser.').waitFor();
    expect(await opened.violations()).toEqual([]);
    await dialog.getByLabel('Name').fill('Old rules');
    await page.keyboard.press('Enter');
    await saved.getByRole('link', { name: 'Old rules' }).waitFor();
    await checkPage(opened, 'search-saved');
    await page.setViewportSize({ width: 1_280, height: 820 });

    await page.reload();
    await page.getByLabel('Search for').fill('parental');
    await page.keyboard.press('Enter');
    await page.waitForURL(/q=parental/);
    await saved.getByRole('link', { name: 'Old rules' }).click();
    await page.waitForURL(/q=weeks\+of\+leave&sort=oldest$/);
    expect(await page.getByLabel('Search for').inputValue()).toBe('weeks of leave');
    expect(await page.getByLabel('Sort by').inputValue()).toBe('oldest');

    await page.getByLabel('Sort by').selectOption('Newest first');
    await button(saved, 'Save this search').click();
    await dialog.getByLabel('Name').fill('old RULES');
    await dialog.getByText('You have another saved search with this name.').waitFor();
    await button(dialog, 'Close').click();
    await button(saved, 'Edit Old rules').click();
    await dialog.getByLabel('Name').fill('Leave');
    await button(dialog, 'Save').click();
    await button(saved, 'Edit Leave').click();
    await button(dialog, 'Delete').click();
    await saved.getByRole('link').waitFor({ state: 'detached' });
    await page.getByLabel('Sort by').selectOption('Relevance');
    await page.waitForURL(/q=weeks\+of\+leave$/);
  });

  it('answers a question with citations that open their passage, and explains its assessment', async () => {
    const { page, opened } = stage();
    await go(page, 'Chat');
    await field(page).fill('How many weeks of parental leave do parents have?');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/chat\/conv_/);
    await button(page, 'Answer again').waitFor();
    const assessment = page.getByText(/This answer has \d+ of 100 points/);
    // The stored answer can replace the streamed one, with its details closed.
    await waitUntil(
      async () => {
        if (!(await assessment.isVisible())) await page.getByText('How this was assessed').click();
        return assessment.isVisible();
      },
      { what: 'the assessment to be shown', timeoutMs: 5_000 },
    );
    expect(await page.getByRole('progressbar').count()).toBe(4);
    await checkPage(opened, 'chat');
    await page.setViewportSize({ width: 1_280, height: 820 });
    await opened.picture('chat');
    const citation = page.getByRole('button', { name: 'Source 1' }).first();
    await citation.hover();
    await page
      .locator('.hover-card')
      .getByText(/18 weeks/)
      .waitFor();
    expect(await opened.violations()).toEqual([]);
    await citation.click();
    await page.getByRole('dialog').locator('mark', { hasText: '18 weeks' }).waitFor();
    await page.keyboard.press('Escape');
    await citation.and(page.locator(':focus')).waitFor();
    // The passage would appear again after 150 ms.
    await expect(page.locator('.hover-card').waitFor({ timeout: 600 })).rejects.toThrow();
    await page.reload();
    await page.getByRole('button', { name: 'Source 1' }).first().waitFor();
  });

  it('answers again, and continues with another model', async () => {
    const { page } = stage();
    await button(page, 'Answer again').click();
    await button(page, 'Stop').waitFor({ state: 'detached' });
    await button(page, 'Answer again').waitFor();
    expect(await answers(page).count()).toBe(1);
    await button(page, 'Options').click();
    await page.getByLabel('Model').selectOption('builtin-extractive');
    await field(page).fill('And up to how many euros are meals refunded?');
    await button(page, 'Ask').click();
    await answers(page).nth(1).getByText(/45/).first().waitFor();
  });

  it('edits a question and asks it again, without losing typed text', async () => {
    const { page } = stage();
    await button(page, 'Stop').waitFor({ state: 'detached' });
    await field(page).fill('Not sent yet');
    await button(page, 'Edit question').first().click();
    const edited = page.getByLabel('Edited question');
    expect(await edited.inputValue()).toBe('How many weeks of parental leave do parents have?');
    await edited.fill('Up to how many euros a day are meals refunded?');
    await button(page, 'Ask again').click();
    await answers(page).nth(2).getByText(/45/).first().waitFor();
    expect(await field(page).inputValue()).toBe('Not sent yet');
    await field(page).fill('');
  });

  it('keeps an edited question while another answer is written, and returns the focus', async () => {
    const { page } = stage();
    await button(page, 'Stop').waitFor({ state: 'detached' });
    await button(page, 'Edit question').first().click();
    const edited = page.getByLabel('Edited question');
    await edited.and(page.locator(':focus')).waitFor();
    await edited.fill('Half of a question');
    // This Enter belongs to an input method.
    await edited.dispatchEvent('keydown', { key: 'Enter', isComposing: true });
    const release = await hold(page, '**/chat/stream');
    await field(page).fill('Which class do flights have?');
    await page.keyboard.press('Enter');
    await page.getByText(SEARCHING).waitFor();
    await page.keyboard.type('Typed meanwhile');
    expect(await field(page).inputValue()).toBe('Typed meanwhile');
    expect(await edited.inputValue()).toBe('Half of a question');
    expect(await button(page, 'Ask again').isDisabled()).toBe(true);
    await field(page).press('Escape');
    await page.getByText('You stopped this answer.').waitFor();
    await release();
    await edited.press('Escape');
    await button(page, 'Edit question').first().and(page.locator(':focus')).waitFor();
    await field(page).fill('');
  });

  it('shows the newest question and answer when a conversation is opened again', async () => {
    const { page } = stage();
    await button(page, 'Stop').waitFor({ state: 'detached' });
    await page.setViewportSize({ width: 390, height: 700 });
    await page.reload();
    await answers(page).nth(2).waitFor();
    await waitUntil(() => isInView(page, 'Up to how many euros a day are meals refunded?'), {
      what: 'the newest question to be in view',
      timeoutMs: 20_000,
    });
    expect(await page.evaluate<boolean>(COMPOSER_IS_AT_END)).toBe(true);
    await page.setViewportSize({ width: 1_280, height: 820 });
  });

  it('renders Markdown of an answer, with tables, lists, links and highlighted code, and no HTML', async () => {
    const { page, opened } = stage();
    await button(page, 'New question').click();
    await page.route('**/chat/stream', (route) => route.fulfill({ contentType: 'text/event-stream', body: MARKDOWN }));
    await field(page).fill('Show me everything');
    await page.keyboard.press('Enter');
    const answer = answers(page);
    await answer.getByRole('cell', { name: '18 weeks' }).waitFor();
    await answer.locator('.hljs-keyword').first().waitFor();
    expect(await answer.getByRole('list').first().getByRole('listitem').count()).toBe(2);
    expect(await answer.locator('script, img').count()).toBe(0);
    expect(await answer.getByRole('link', { name: 'the portal' }).getAttribute('href')).toBe('https://example.com/');
    await button(answer, 'Copy code').waitFor();
    await checkPage(opened, 'chat-markdown');
    await page.unroute('**/chat/stream');
    await page.setViewportSize({ width: 1_280, height: 820 });
  });

  it('stays on the page that was opened just after the end of an answer', async () => {
    const { page } = stage();
    await button(page, 'New question').click();
    await field(page).and(page.locator(':focus')).waitFor();
    await page.route('**/chat/stream', (route) => route.fulfill({ contentType: 'text/event-stream', body: COMPLETE }));
    const release = await hold(page, /\/conversations\?/);
    await field(page).fill('Which page is this?');
    await page.keyboard.press('Enter');
    await answers(page).getByText('You are in Chat.').waitFor();
    await go(page, 'Search');
    await release();
    await page.unroute('**/chat/stream');
    await page.getByText(/^\d+ documents? in \d+ ms$/).waitFor();
    expect(new URL(page.url()).pathname).toBe('/console/search');
    await go(page, 'Chat');
    expect(await field(page).inputValue()).toBe('');
  });

  it('lists conversations by day, finds one, and deletes it', async () => {
    const { page } = stage();
    const list = page.getByRole('complementary', { name: 'Conversations' });
    const link = list.getByRole('region', { name: 'Today' }).getByRole('link', { name: /parental leave/ });
    await link.waitFor();
    await list.getByLabel('Search your questions').fill('nothing like this');
    await list.getByText('No title contains these words').waitFor();
    await list.getByLabel('Search your questions').fill('PARENTAL');
    await link.click();
    await answers(page).nth(2).waitFor();
    await list.getByLabel('Search your questions').fill('');
    await button(page, 'Delete').click();
    await button(page.getByRole('dialog'), 'Delete').click();
    await page.getByText('Answers come from documents').waitFor();
    await page.getByText('Your questions will appear here.').waitFor();
  });
}
