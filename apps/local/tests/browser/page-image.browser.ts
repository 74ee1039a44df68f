import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { textPdf } from '@lectern/testing';
import { startChromium } from '@lectern/testing/chromium';
import type { Browser, Page } from 'playwright-core';
import { type Lectern, startLectern } from '../support/start-lectern.ts';
import { go } from './console/stage.ts';
import { checkPage } from './support/check-page.ts';
import { printedText } from './support/create-owner.ts';
import { type ConsolePage, openPage } from './support/open-page.ts';

const PAGES = [
  ['The handbook of the observatory.', 'It has rules for visitors and for everyone who works there.'],
  [
    'Visitors',
    'The telescope is open to visitors on every clear Friday evening after sunset.',
    'Children need an adult.',
  ],
];
const SENTENCE = 'The telescope is open to visitors on every clear Friday evening after sunset.';

/** True if the image has dark pixels below every highlight. */
const ALL_INKED = `(() => {
  const canvas = document.querySelector('.cited-page canvas');
  const frame = canvas.getBoundingClientRect();
  const scale = canvas.width / frame.width;
  return [...document.querySelectorAll('.cited-page mark')].every((mark) => {
    const { left, top, width, height } = mark.getBoundingClientRect();
    const area = [(left - frame.left) * scale, (top - frame.top) * scale, width * scale, height * scale];
    const { data } = canvas.getContext('2d').getImageData(...area.map(Math.round));
    return data.some((level, index) => index % 4 === 0 && data[index + 3] > 0 && level < 128);
  });
})()`;

let lectern: Lectern;
let browser: Browser;
let opened: ConsolePage;
let page: Page;
let documentId: string;

beforeAll(async () => {
  [lectern, browser] = await Promise.all([startLectern(), startChromium()]);
  await printedText(lectern);
  const { api } = lectern;
  const { id: collection } = await api.ok('POST', '/api/v1/collections', { name: 'Observatory' });
  const connector = await api.ok('POST', '/api/v1/connectors', { name: 'Files', type: 'upload', collection });
  const { files } = await api.upload(connector.id, [{ name: 'handbook.pdf', bytes: textPdf(PAGES) }]);
  documentId = files[0].documentId;
  await api.until(`/api/v1/documents/${documentId}`, ({ status }) => status === 'indexed');
  opened = await openPage(browser, lectern.baseUrl, { key: lectern.credentials.secretKey });
  page = opened.page;
  await page.goto(`${lectern.baseUrl}/console/search`);
});
afterAll(async () => {
  await browser?.close();
  await lectern?.stop();
});

describe('the page of a PDF', () => {
  it('is returned with the places of the words of a passage, and as a PNG', async () => {
    const { content } = await lectern.api.ok('GET', `/api/v1/documents/${documentId}/content`);
    const start = content.indexOf(SENTENCE);
    const part = `start=${start}&end=${start + SENTENCE.length}`;
    const { pages } = await lectern.api.ok('GET', `/api/v1/documents/${documentId}/pages?${part}`);
    expect(pages).toMatchObject([{ page: 2, width: 612, height: 792 }]);
    const words = pages[0].words.map((word: { start: number; end: number }) => content.slice(word.start, word.end));
    expect(words.join(' ')).toBe(SENTENCE);
    const image = await lectern.api.ok('GET', `/api/v1/documents/${documentId}/page-image?number=2`);
    expect(image).toMatchObject({ page: 2, mediaType: 'image/png' });
    expect(Buffer.from(image.content, 'base64').subarray(1, 4).toString()).toBe('PNG');
    const missing = await lectern.api.call('GET', `/api/v1/documents/${documentId}/page-image?number=3`);
    expect([missing.status, missing.error.message]).toEqual([404, expect.stringContaining('2 pages')]);
  });

  it('is shown by keyboard, with the cited words highlighted where they are', async () => {
    await go(page, 'Search');
    await page.getByLabel('Search for').fill('When is the telescope open?');
    await page.keyboard.press('Enter');
    await page
      .getByRole('button', { name: /handbook/i })
      .first()
      .click();
    const panel = page.getByRole('dialog');
    const show = panel.getByRole('button', { name: 'Show page 2' });
    await show.focus();
    await page.keyboard.press('Enter');
    const image = panel.getByRole('img', { name: 'Image of page 2, with the cited words highlighted' });
    await image.waitFor();
    const marks = panel.locator('.cited-page mark');
    expect(await marks.count()).toBeGreaterThan(5);
    // The image is drawn after it is decoded.
    await page.waitForFunction(ALL_INKED);
    await checkPage(opened, 'page-image');
    await panel.getByRole('button', { name: 'Hide page 2' }).click();
    await image.waitFor({ state: 'detached' });
    expect(opened.errors).toEqual([]);
  });
});
