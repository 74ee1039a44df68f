import { htmlMetadata } from '#formats/html/html-metadata';
import { mainContent } from '#formats/html/main-content';
import { renderHtml } from '#formats/html/render-html';
import type { MarkupElement } from '#markup/element';
import { readHtml } from '#markup/read-html';
import type { FormatParser } from '#parsed-document';
import { decodeText } from '#text/decode-text';
import { DocumentWriter } from '#text/document-writer';

/**
 * Browsers look for a charset in the first kilobyte, but pages with long preambles declare it
 * later.
 */
const charsetHeadBytes = 64 * 1024;

const declaredCharset = (bytes: Uint8Array): string | undefined => {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, charsetHeadBytes)).toString('latin1');
  return (
    /<meta[^>]{0,200}charset\s*=\s*["']?\s*([\w-]+)/i.exec(head)?.[1] ??
    /^<\?xml[^>]*encoding=["']([\w-]+)/i.exec(head)?.[1]
  );
};

/** Loads the library on first use: most child processes see no pages of websites. */
const articleOf = async (html: string, page: MarkupElement): Promise<MarkupElement | undefined> =>
  (await import('#formats/html/article-content')).articleContent(html, page);

/**
 * Parses a web page: its main content, without boilerplate. With the parameter `profile=article` of
 * its type, which the web crawler sets, Readability looks for the main content first.
 */
export const parseHtml: FormatParser = async ({ bytes, limits, mimeType, parameters = {} }) => {
  const { text: html, charset } = decodeText(bytes, parameters.charset ?? declaredCharset(bytes));
  const page = readHtml(html, { xml: mimeType === 'application/xhtml+xml' });
  const { title, metadata } = htmlMetadata(page);
  const writer = new DocumentWriter(limits.maxTextChars);
  const main = mainContent(page);
  const article = parameters.profile === 'article' ? await articleOf(html, page) : undefined;
  renderHtml(article ?? main, writer, { dropBoilerplate: true, keepLinks: false });
  // If everything looks like navigation, the content of the page is links: write all of it.
  if (writer.isEmpty) renderHtml(page, writer, { dropBoilerplate: false, keepLinks: false });
  return { ...writer.finish(), title, metadata: { ...metadata, charset } };
};
