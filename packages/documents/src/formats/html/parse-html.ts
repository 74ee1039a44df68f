import { htmlMetadata } from '#formats/html/html-metadata';
import { mainContent } from '#formats/html/main-content';
import { renderHtml } from '#formats/html/render-html';
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

/** Parses a web page: its main content, without boilerplate. */
export const parseHtml: FormatParser = async ({ bytes, limits, mimeType }) => {
  const { text: html, charset } = decodeText(bytes, declaredCharset(bytes));
  const page = readHtml(html, { xml: mimeType === 'application/xhtml+xml' });
  const { title, metadata } = htmlMetadata(page);
  const writer = new DocumentWriter(limits.maxTextChars);
  renderHtml(mainContent(page), writer, { dropBoilerplate: true, keepLinks: false });
  // If everything looks like navigation, the content of the page is links: write all of it.
  if (writer.isEmpty) renderHtml(page, writer, { dropBoilerplate: false, keepLinks: false });
  return { ...writer.finish(), title, metadata: { ...metadata, charset } };
};
