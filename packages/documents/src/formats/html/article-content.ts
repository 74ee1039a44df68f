import { Readability } from '@mozilla/readability';
import { parseHTML } from 'linkedom';
import { mainContent } from '#formats/html/main-content';
import { descendants, isElement, type MarkupElement, textOf } from '#markup/element';
import { readHtml } from '#markup/read-html';

/** Larger pages are read as a whole: the library would take most of the time limit of a file. */
const maxHtmlChars = 1_000_000;
const maxElements = 4_000;
/** The library takes quadratic time in the depth of a page. Pages of people are below 50. */
const maxDepth = 100;
/** A shorter article is usually a teaser or a wrong guess. */
const minArticleChars = 200;
/** An article that misses most of the page's headings is a wrong guess, for example on a reference page. */
const minHeadingShare = 0.5;

const headings = (root: MarkupElement): number =>
  [...descendants(root)].filter(({ name }) => /^h[2-6]$/.test(name)).length;

const visibleChars = (root: MarkupElement): number => textOf(root).replace(/\s+/g, ' ').trim().length;

const isDeeper = (element: MarkupElement, depth: number): boolean =>
  depth === 0 || element.children.some((child) => isElement(child) && isDeeper(child, depth - 1));

const isTooComplex = (page: MarkupElement): boolean => {
  let elements = 0;
  for (const _ of descendants(page)) {
    elements++;
    if (elements > maxElements) return true;
  }
  return isDeeper(page, maxDepth);
};

const extract = (html: string): string | undefined => {
  try {
    const { document } = parseHTML(html);
    const article = new Readability(document, {
      charThreshold: minArticleChars,
      maxElemsToParse: maxElements,
      // The classes of code blocks name their language.
      keepClasses: true,
      disableJSONLD: true,
    }).parse();
    return article?.content ?? undefined;
  } catch {
    // The library cannot process this page; it is then read as a whole.
    return undefined;
  }
};

/**
 * Returns the article of a web page with Mozilla's Readability, the library of Firefox's reader
 * view. Undefined if the page has no article: a list, a start page, or one too large for the
 * library.
 */
export const articleContent = (html: string, page: MarkupElement): MarkupElement | undefined => {
  if (html.length > maxHtmlChars || isTooComplex(page)) return undefined;
  const content = extract(html);
  if (content === undefined) return undefined;
  const article = readHtml(content);
  const isWhole = headings(article) >= minHeadingShare * headings(mainContent(page));
  return visibleChars(article) >= minArticleChars && isWhole ? article : undefined;
};
