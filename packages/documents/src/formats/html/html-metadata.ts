import { descendants, findElement, type MarkupElement, textOf } from '#markup/element';
import type { ParsedContent } from '#parsed-document';

const metaValues = (page: MarkupElement): Map<string, string> => {
  const values = new Map<string, string>();
  for (const { name, attributes } of descendants(page)) {
    const key = (attributes.name ?? attributes.property ?? '').toLowerCase();
    const value = attributes.content?.trim();
    if (name === 'meta' && key !== '' && value && !values.has(key)) values.set(key, value);
  }
  return values;
};

/** Metadata from a page's head: <title> or its substitutes, author, dates, language. */
export const htmlMetadata = (page: MarkupElement): Pick<ParsedContent, 'title' | 'metadata'> => {
  const meta = metaValues(page);
  const first = (...keys: readonly string[]): string | undefined =>
    keys.map((key) => meta.get(key)).find((value) => value !== undefined);
  const titleElement = findElement(page, 'title');
  const heading = findElement(page, 'h1');
  const named = titleElement ? textOf(titleElement).trim() : '';
  return {
    title: named || first('og:title', 'dc.title') || (heading ? textOf(heading).trim() : undefined),
    metadata: {
      author: first('author', 'dc.creator', 'article:author'),
      description: first('description', 'og:description', 'dc.description'),
      keywords: first('keywords', 'dc.subject')
        ?.split(',')
        .map((word) => word.trim()),
      createdAt: first('article:published_time', 'dcterms.created', 'dc.date', 'date'),
      modifiedAt: first('article:modified_time', 'dcterms.modified', 'last-modified'),
      language: findElement(page, 'html')?.attributes.lang || findElement(page, 'html')?.attributes['xml:lang'],
    },
  };
};
