import mammoth from 'mammoth';
import { renderHtml } from '#formats/html/render-html';
import { coreProperties } from '#formats/ooxml/core-properties';
import { drawingParagraphs } from '#formats/ooxml/drawing-text';
import { readHtml } from '#markup/read-html';
import { readXml } from '#markup/read-xml';
import type { FormatParser } from '#parsed-document';
import { DocumentWriter } from '#text/document-writer';
import { openZip, repackZip } from '#zip/zip-archive';

const styleMap = ["p[style-name='Title'] => h1:fresh", "p[style-name='Subtitle'] => p:fresh", 'comment-reference => '];

/** mammoth reads no text from pictures, fonts and embedded files. */
const isRead = (name: string): boolean => /\.(?:xml|rels)$/i.test(name);

const diagramPart = /^word\/diagrams\/data\d*\.xml$/;

/**
 * Parses a Word document: mammoth reads headings, lists, tables, links and footnotes; the text of
 * diagrams, which mammoth skips, follows at the end.
 */
export const parseDocx: FormatParser = async ({ bytes, limits }) => {
  const zip = await openZip(bytes, limits.maxInflatedBytes);
  const { value: html } = await mammoth.convertToHtml(
    { buffer: Buffer.from(await repackZip(zip, isRead)) },
    {
      styleMap,
      includeEmbeddedStyleMap: false,
      externalFileAccess: false,
      convertImage: mammoth.images.imgElement(async () => ({ src: '' })),
    },
  );
  const writer = new DocumentWriter(limits.maxTextChars);
  renderHtml(readHtml(html), writer, { dropBoilerplate: false, keepLinks: true });
  for (const part of zip.names.filter((name) => diagramPart.test(name))) {
    for (const text of drawingParagraphs(readXml(await zip.read(part)))) writer.listItem(text, 0);
  }
  const { title, metadata } = await coreProperties(zip);
  const heading = html.length < 5_000_000 ? /<h1>(.*?)<\/h1>/s.exec(html)?.[1]?.replace(/<[^>]*>/g, '') : undefined;
  return { ...writer.finish(), title: title ?? heading, metadata };
};
