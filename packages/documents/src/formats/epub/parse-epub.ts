import { posix } from 'node:path';
import { renderHtml } from '#formats/html/render-html';
import { childElements, descendants, findElement, type MarkupElement, textOf } from '#markup/element';
import { readHtml } from '#markup/read-html';
import { readXml } from '#markup/read-xml';
import { ParseError } from '#parse-error';
import type { FormatParser } from '#parsed-document';
import { decodeText } from '#text/decode-text';
import { DocumentWriter } from '#text/document-writer';
import { ZipFile } from '#zip/open-zip';

/** Obfuscated fonts are the only encryption of a book without rights management (EPUB OCF §4.4). */
const fontObfuscation = /^http:\/\/(?:www\.idpf\.org\/2008\/embedding|ns\.adobe\.com\/pdf\/enc#RC)$/;

const assertReadable = (zip: ZipFile): void => {
  const part = 'META-INF/encryption.xml';
  if (!zip.has(part)) return;
  for (const { name, attributes } of descendants(readXml(zip.read(part)))) {
    if (name === 'EncryptionMethod' && !fontObfuscation.test(attributes.Algorithm ?? '')) {
      throw new ParseError('encrypted', 'This book is protected against copying (DRM) and cannot be read.');
    }
  }
};

/** The package document, found as the container says or by its extension. */
const packagePart = (zip: ZipFile): string => {
  const container = 'META-INF/container.xml';
  const root = zip.has(container) ? findElement(readXml(zip.read(container)), 'rootfile') : undefined;
  const part = root?.attributes['full-path'] ?? zip.names.find((name) => name.endsWith('.opf'));
  if (part === undefined || !zip.has(part))
    throw new ParseError('corrupt_file', 'This book is damaged: its table of parts is missing.');
  return part;
};

/** The chapters' entries in reading order. */
const chapterParts = (zip: ZipFile, part: string, book: MarkupElement): string[] => {
  const hrefs = new Map(
    childElements(findElement(book, 'manifest'), 'item').map(({ attributes }) => [attributes.id, attributes.href]),
  );
  return childElements(findElement(book, 'spine'), 'itemref')
    .map(({ attributes }) => hrefs.get(attributes.idref))
    .filter((href) => href !== undefined)
    .map((href) => posix.join(posix.dirname(part), decodeURIComponent(href.split('#', 1)[0] ?? '')))
    .filter((name) => zip.has(name));
};

/** A book: its chapters in reading order. */
export const parseEpub: FormatParser = async ({ bytes, limits }) => {
  const zip = new ZipFile(bytes, limits.maxInflatedBytes);
  assertReadable(zip);
  const part = packagePart(zip);
  const book = readXml(zip.read(part));
  const writer = new DocumentWriter(limits.maxTextChars);
  for (const chapter of chapterParts(zip, part, book)) {
    const page = readHtml(decodeText(zip.read(chapter)).text, { xml: true });
    renderHtml(findElement(page, 'body') ?? page, writer, { dropBoilerplate: true, keepLinks: false });
  }
  const about = (name: string): string | undefined => {
    const [element] = childElements(findElement(book, 'metadata'), name);
    return element ? textOf(element).trim() : undefined;
  };
  const metadata = {
    author: about('creator'),
    language: about('language'),
    description: about('description'),
    createdAt: about('date'),
  };
  return { ...writer.finish(), title: about('title'), metadata };
};
