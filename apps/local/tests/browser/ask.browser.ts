import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitUntil } from '@lectern/testing';
import { startChromium } from '@lectern/testing/chromium';
import type { Browser, Page } from 'playwright-core';
import { type Lectern, startLectern } from '../support/start-lectern.ts';
import { button } from './console/stage.ts';
import { checkPage } from './support/check-page.ts';
import { joinTeam, printedText, signIn } from './support/create-owner.ts';
import { type ConsolePage, openPage } from './support/open-page.ts';

const HANDBOOK = {
  Leave:
    '# Leave\n\n## How do I request leave?\n\nRequest leave in the staff portal, at least two weeks ahead. Every employee has thirty days of paid leave a year.',
  Travel: 'Trains are booked in second class. Flights need the approval of your manager.',
  Ergonomics: 'The office pays for a chair and a desk. A height-adjustable desk needs a doctor’s note.',
};

let lectern: Lectern;
let browser: Browser;
let member: ConsolePage;
let page: Page;
let collectionId: string;

async function addDocument(document: object): Promise<void> {
  const { id } = await lectern.api.ok('POST', `/api/v1/collections/${collectionId}/documents`, document);
  await lectern.api.until(`/api/v1/documents/${id}`, ({ status }) => status === 'indexed');
}

const field = (within: Page) => within.getByRole('textbox', { name: 'Your question' });
const answers = (within: Page) => within.getByRole('article', { name: 'Answer' });
async function ask(question: string): Promise<void> {
  await field(page).fill(question);
  await page.keyboard.press('Enter');
}
const atConversation = /\/console\/ask\/conv_/;

beforeAll(async () => {
  [lectern, browser] = await Promise.all([startLectern(), startChromium()]);
  await printedText(lectern);
  const grace = await joinTeam(lectern, 'Grace', 'member');
  member = await openPage(browser, lectern.baseUrl);
  page = member.page;
  // Until the console is built, a placeholder page reloads itself.
  await page.goto(`${lectern.baseUrl}/`);
  await page.getByRole('heading', { name: 'Sign in to Lectern' }).waitFor();
  await signIn(page, grace);
});
afterAll(async () => {
  await browser?.close();
  await lectern?.stop();
});

describe('a member', () => {
  it('lands on the page, without the pages of admins, and reads that there is nothing to ask about', async () => {
    await page.getByRole('heading', { level: 1, name: 'Ask' }).waitFor();
    const menu = page.getByRole('complementary', { name: 'Menu' });
    expect(await menu.getByRole('navigation').getByRole('link').allTextContents()).toEqual(['Ask', 'Search', 'Agents']);
    await page.getByRole('heading', { name: 'There is nothing to ask about yet' }).waitFor();
    expect(await page.getByRole('link', { name: 'Go to collections' }).count()).toBe(0);
    await checkPage(member, 'ask-empty');
  });

  it('gets suggestions from documents that the person may read', async () => {
    ({ id: collectionId } = await lectern.api.ok('POST', '/api/v1/collections', { name: 'Handbook' }));
    for (const [title, content] of Object.entries(HANDBOOK)) {
      await addDocument({ title, content, metadata: { url: `https://handbook.example.com/${title}` } });
    }
    const secret = {
      title: 'Merger',
      content: '# Who buys us?\n\nAcme buys us.',
      principals: ['user:ada@example.com'],
    };
    await addDocument(secret);
    await page.reload();
    await button(page, 'How do I request leave?').waitFor();
    await button(page, 'What are the main points of "Travel"?').waitFor();
    expect(await page.getByText(/Merger|buys us/).count()).toBe(0);
    await checkPage(member, 'ask-start');
    await button(page, 'What are the main points of "Travel"?').click();
    await answers(page)
      .getByText(/second class/)
      .first()
      .waitFor();
    await page.waitForURL(atConversation);
  });

  it('asks with the keyboard and reads an answer with its sources', async () => {
    await button(page, 'New question').click();
    await field(page).and(page.locator(':focus')).waitFor();
    await page.getByText('Try one of these').waitFor();
    await ask('How many days of paid leave does every employee have?');
    await page.waitForURL(atConversation);
    const answer = answers(page);
    await answer.getByText('Supported', { exact: true }).waitFor();
    await answer
      .getByText(/thirty days of paid leave/)
      .first()
      .waitFor();
    // Announced once, when it is complete.
    await page
      .getByRole('status')
      .getByText(/^Answer: .*thirty days of paid leave/)
      .waitFor();
    expect(await answer.getByRole('link', { name: 'Open original: Leave' }).getAttribute('href')).toBe(
      'https://handbook.example.com/Leave',
    );
    expect(await field(page).inputValue()).toBe('');
    await checkPage(member, 'ask-answer');
  });

  it('opens the cited passage in its document, and returns to its number', async () => {
    const citation = answers(page).getByRole('button', { name: 'Source 1' }).first();
    await citation.focus();
    await page.keyboard.press('Enter');
    const panel = page.getByRole('dialog', { name: 'Leave' });
    await panel.locator('mark', { hasText: 'thirty days of paid leave' }).waitFor();
    await panel.getByRole('link', { name: 'Open original' }).waitFor();
    await checkPage(member, 'ask-passage');
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
    await citation.and(page.locator(':focus')).waitFor();
    // The passage would appear again after 150 ms.
    await expect(page.locator('.hover-card').waitFor({ timeout: 600 })).rejects.toThrow();
  });

  it('asks a follow-up question in the same thread, and gets a new answer to it', async () => {
    const { pathname } = new URL(page.url());
    await ask('How do I request it?');
    await answers(page)
      .nth(1)
      .getByText(/staff portal/)
      .first()
      .waitFor();
    await button(page, 'Answer again').waitFor();
    expect(new URL(page.url()).pathname).toBe(pathname);
    await button(page, 'Answer again').click();
    await waitUntil(async () => (await button(page, 'Answer again').count()) === 1, {
      what: 'the new answer',
      timeoutMs: 20_000,
    });
    expect(await answers(page).count()).toBe(2);
  });

  it('rates an answer, gives a reason, and takes it back', async () => {
    const last = answers(page).last();
    const helped = button(last, 'This answer helped');
    const didNotHelp = button(last, 'This answer did not help');
    await helped.click();
    await last.locator('[aria-label="This answer helped"][aria-pressed="true"]').waitFor();
    await last.getByText('Thank you.').waitFor();
    await didNotHelp.focus();
    await page.keyboard.press('Enter');
    await last.getByLabel('It is out of date').check();
    await last.getByLabel('Comment').fill('The portal has a new name.');
    await checkPage(member, 'ask-feedback');
    await button(last, 'Send').click();
    await button(last, 'Edit reason').waitFor();
    await page.reload();
    await button(last, 'Edit reason').click();
    expect(await last.getByLabel('It is out of date').isChecked()).toBe(true);
    expect(await last.getByLabel('Comment').inputValue()).toBe('The portal has a new name.');
    await button(last, 'Close').click();
    await didNotHelp.click();
    await last.locator('[aria-label="This answer did not help"][aria-pressed="false"]').waitFor();
    expect(await button(last, 'Edit reason').count()).toBe(0);
  });

  it('copies an answer with its sources', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: lectern.baseUrl });
    await button(answers(page).first(), 'Copy').click();
    await button(answers(page).first(), 'Copied').waitFor();
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(copied).toContain('thirty days of paid leave');
    expect(copied).toContain('Sources:\n[1] Leave – https://handbook.example.com/Leave');
  });

  it('selects an answer with its lines where the browser blocks copying', async () => {
    await page.evaluate(`Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true })`);
    const answer = answers(page).first();
    await button(answer, 'Copied').click();
    await answer.getByText('press Ctrl+C').waitFor();
    const selected = `(({ value, selectionStart, selectionEnd }) => value.slice(selectionStart, selectionEnd))(document.activeElement)`;
    expect(await page.evaluate<string>(selected)).toContain('\n\nSources:\n[1] Leave');
    expect(await member.violations()).toEqual([]);
    await page.evaluate('delete navigator.clipboard');
  });

  it('reads what to do when there is no answer, or only a possible one', async () => {
    await button(page, 'New question').click();
    await ask('Who won the football world cup in 1974?');
    await answers(page).getByText('No answer found', { exact: true }).waitFor();
    await answers(page)
      .getByText(/ask an editor of your team to add it/)
      .waitFor();
    await checkPage(member, 'ask-none');
    await button(page, 'New question').click();
    await page.getByText('Try one of these').waitFor();
    await ask('Who pays for lamps?');
    await answers(page)
      .getByText(/^(Possible answer|Partly supported)$/)
      .waitFor();
    await checkPage(member, 'ask-possible');
  });

  it('finds earlier questions by day and by their words', async () => {
    await button(page, 'History').click();
    const panel = page.getByRole('dialog', { name: 'Your questions' });
    await panel
      .getByRole('region', { name: 'Today' })
      .getByRole('link', { name: /paid leave/ })
      .waitFor();
    expect(await panel.getByRole('link').count()).toBe(4);
    await checkPage(member, 'ask-history');
    await panel.getByLabel('Search your questions').fill('nothing like this');
    await panel.getByText('No title contains these words').waitFor();
    await panel.getByLabel('Search your questions').fill('PAID LEAVE');
    await panel.getByRole('link', { name: /paid leave/ }).waitFor();
    expect(await panel.getByRole('link').count()).toBe(1);
    await panel.getByRole('link').click();
    await panel.waitFor({ state: 'detached' });
    await answers(page).nth(1).waitFor();
  });

  it('renames a conversation and shares it with a colleague, until sharing ends', async () => {
    await button(page, 'Rename').click();
    const renaming = page.getByRole('dialog', { name: 'Rename this conversation' });
    await renaming.getByLabel('Title').fill('Days of leave');
    await checkPage(member, 'ask-rename');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Days of leave' }).waitFor();
    await button(page, 'Share').click();
    const sharing = page.getByRole('dialog', { name: 'Share this conversation' });
    await button(sharing, 'Share with the team').click();
    const link = await sharing.getByLabel('Link').inputValue();
    await checkPage(member, 'ask-share');
    await page.keyboard.press('Escape');

    const ivan = await joinTeam(lectern, 'Ivan', 'member');
    const colleague = await openPage(browser, lectern.baseUrl);
    await colleague.page.goto(link);
    await signIn(colleague.page, ivan);
    await colleague.page.getByRole('heading', { level: 1, name: 'Days of leave' }).waitFor();
    await colleague.page.getByText('Shared with your team by grace@example.com.').waitFor();
    await answers(colleague.page)
      .getByText(/thirty days of paid leave/)
      .first()
      .waitFor();
    for (const name of ['Delete', 'Rename', 'Shared', 'Answer again', 'Edit question', 'This answer helped'])
      expect(await button(colleague.page, name).count()).toBe(0);
    expect(await field(colleague.page).count()).toBe(0);
    await checkPage(colleague, 'ask-shared');
    await button(colleague.page, 'History').click();
    const history = colleague.page.getByRole('dialog', { name: 'Your questions' });
    await history.getByText('Your questions will appear here.').waitFor();
    await history.getByLabel('Show').selectOption('Shared with the team');
    await history.getByRole('link', { name: 'Days of leave' }).waitFor();
    await checkPage(colleague, 'ask-shared-list');

    await button(page, 'Shared').click();
    await button(sharing, 'Stop sharing').click();
    await button(sharing, 'Share with the team').waitFor();
    await page.keyboard.press('Escape');
    await colleague.page.reload();
    await colleague.page.getByRole('heading', { name: 'This conversation does not exist' }).waitFor();
    await colleague.close();
  });

  it('stops an answer, and asks again', async () => {
    await button(page, 'New question').click();
    await page.getByText('Try one of these').waitFor();
    const held = Promise.withResolvers<void>();
    await page.route('**/chat/stream', async (route) => {
      await held.promise;
      await route.continue().catch(() => undefined);
    });
    await ask('Who approves flights?');
    await page.getByText('Searching your documents…').waitFor();
    await checkPage(member, 'ask-searching');
    // The question would survive a reload.
    const stored = await page.evaluate<string>('JSON.stringify(sessionStorage)');
    expect(stored).toContain('Who approves flights?');
    await field(page).press('Escape');
    await page.getByText('You stopped this answer.').waitFor();
    held.resolve();
    await page.unroute('**/chat/stream');
    await button(page, 'Answer again').click();
    await answers(page)
      .getByText(/approval of your manager/)
      .first()
      .waitFor();
    await page.waitForURL(atConversation);
    expect(await page.evaluate<string>('JSON.stringify(sessionStorage)')).not.toContain('Who approves flights?');
  });

  it('keeps typed text and a question without an answer, each until it is answered', async () => {
    await button(page, 'New question').click();
    await field(page).fill('Typed, but not sent');
    await page.route('**/chat/stream', () => undefined);
    await button(page, 'How do I request leave?').click();
    await page.getByText('Searching your documents…').waitFor();
    await page.reload();
    await page.unroute('**/chat/stream');
    await page.getByText('Try one of these').waitFor();
    expect(await field(page).inputValue()).toBe('Typed, but not sent');
    await field(page).fill('');
    await page.reload();
    await page.getByText('Try one of these').waitFor();
    expect(await field(page).inputValue()).toBe('How do I request leave?');
    await field(page).press('Enter');
    await answers(page)
      .getByText(/staff portal/)
      .first()
      .waitFor();
    await page.waitForURL(atConversation);
    await button(page, 'New question').click();
    await page.getByText('Try one of these').waitFor();
    expect(await field(page).inputValue()).toBe('');
  });

  it('reads why an answer failed, and tries again', async () => {
    await page.route('**/chat/stream', (route) =>
      route.fulfill({
        status: 400,
        json: {
          error: { code: 'invalid_request', message: 'The model is not available.' },
          meta: { requestId: 'req_1' },
        },
      }),
    );
    await ask('Which class on trains?');
    await page.getByRole('alert').getByText('The model is not available.').waitFor();
    await checkPage(member, 'ask-failed');
    await page.unroute('**/chat/stream');
    await button(page, 'Try again').click();
    await answers(page)
      .getByText(/second class/)
      .first()
      .waitFor();
    await page.waitForURL(atConversation);
  });

  it('opens a link to a question, which is asked only by the person', async () => {
    const question = 'Which desk needs a doctor’s note? <b>&x';
    let asked = 0;
    const count = () => {
      asked += 1;
    };
    page.on('request', (request) => request.url().endsWith('/chat/stream') && count());
    await page.goto(`${lectern.baseUrl}/ask?q=${encodeURIComponent(question)}`);
    await page.getByText('Try one of these').waitFor();
    expect(await field(page).inputValue()).toBe(question);
    expect(asked).toBe(0);
    await page.keyboard.press('Enter');
    await page.waitForURL(atConversation);
    await answers(page)
      .getByText(/height-adjustable/)
      .first()
      .waitFor();
    expect(asked).toBe(1);
  });

  it('searches while typing, and goes back to the previous query', async () => {
    const conversation = page.url();
    const search = page.getByLabel('Search for');
    const isSearched = async (query: string) => {
      await page.waitForURL((url) => (url.searchParams.get('q') ?? '') === query);
      await waitUntil(async () => (await search.inputValue()) === query, {
        what: `the query ${query} in the field`,
        timeoutMs: 5_000,
      });
    };
    await page.getByRole('complementary', { name: 'Menu' }).getByRole('link', { name: 'Search', exact: true }).click();
    await search.pressSequentially('leave', { delay: 400 });
    await isSearched('leave');
    await search.press('Enter');
    await search.pressSequentially(' portal');
    await isSearched('leave portal');
    await page.goBack();
    await isSearched('leave');
    await page.goBack();
    await isSearched('');
    expect(new URL(page.url()).pathname).toBe('/console/search');
    await page.goto(conversation);
    await answers(page).waitFor();
  });

  it('keeps typed text through leaving, reloading and signing in again', async () => {
    const conversation = page.url();
    await field(page).fill('A follow-up that is not sent');
    await button(page, 'New question').click();
    await page.getByText('Try one of these').waitFor();
    await field(page).fill('A new question that is not sent');
    await page.goto(conversation);
    await answers(page).waitFor();
    expect(await field(page).inputValue()).toBe('A follow-up that is not sent');
    // An admin ends the session.
    await page.context().clearCookies();
    await button(page, 'History').click();
    await page.getByRole('heading', { name: 'Sign in to Lectern' }).waitFor();
    await signIn(page, 'grace@example.com');
    await answers(page).waitFor();
    expect(page.url()).toBe(conversation);
    expect(await field(page).inputValue()).toBe('A follow-up that is not sent');
    await button(page, 'New question').click();
    await page.getByText('Try one of these').waitFor();
    expect(await field(page).inputValue()).toBe('A new question that is not sent');
  });

  it('cannot open the conversation of somebody else, or see the typed text', async () => {
    const conversations = await page.evaluate<string>('location.href');
    await button(page, 'History').click();
    const link = page.getByRole('dialog').getByRole('link', { name: 'Days of leave' });
    const href = String(await link.getAttribute('href'));
    await page.keyboard.press('Escape');
    const mary = await joinTeam(lectern, 'Mary', 'editor');
    await page.getByRole('complementary', { name: 'Menu' }).getByRole('button', { name: 'Sign out' }).click();
    await signIn(page, mary);
    await page.getByRole('heading', { level: 1, name: 'Ask' }).waitFor();
    expect(page.url()).toBe(conversations);
    expect(await field(page).inputValue()).toBe('');
    expect(await page.evaluate<string>('JSON.stringify(sessionStorage)')).not.toContain('not sent');
    await page.goto(`${lectern.baseUrl}${href}`);
    await page.getByRole('heading', { name: 'This conversation does not exist' }).waitFor();
    await checkPage(member, 'ask-missing');
    const menu = page.getByRole('complementary', { name: 'Menu' });
    expect((await menu.getByRole('link').allTextContents()).slice(0, 3)).toEqual(['Overview', 'Ask', 'Search']);
  });

  it('causes no script errors and no requests to other origins', () => {
    expect(member.errors).toEqual([]);
    expect(member.foreignRequests).toEqual([]);
  });
});
