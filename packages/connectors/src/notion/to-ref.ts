import { type Listed, plainText, propertiesOf, RichText } from '#notion/notion-object';
import type { SourceRef } from '#source';

/**
 * Another edit within this time can have the same timestamp, which Notion rounds down to the
 * minute.
 */
const UNSETTLED_MS = 3 * 60_000;

export function titleOf(page: Listed): string {
  const title = propertiesOf(page).find(([, property]) => property.type === 'title')?.[1].title;
  const text = plainText(RichText.safeParse(title).data).trim();
  return text === '' ? 'Untitled' : text;
}

/**
 * Returns the time of the last edit; undefined while another edit could have the same time, so that
 * the content is compared.
 */
export function versionOf(page: Listed, now: number): string | undefined {
  const time = page.last_edited_time;
  const at = Date.parse(time ?? '');
  if (Number.isNaN(at)) return undefined;
  const rounded = at % 60_000 === 0;
  return rounded && Math.abs(now - at) < UNSETTLED_MS ? undefined : time;
}

/** Converts a page to an item. */
export function refOfPage(page: Listed, author: string | undefined): SourceRef {
  const title = titleOf(page);
  return {
    id: page.id,
    path: title,
    title,
    version: versionOf(page, Date.now()),
    url: page.url ?? undefined,
    author,
    mimeType: 'text/markdown',
    updatedAt: page.last_edited_time,
  };
}
