import { posix } from 'node:path';
import { renderHtml } from '#formats/html/render-html';
import { childElements, descendants, findElement, type MarkupElement, textOf } from '#markup/element';
import { readHtml } from '#markup/read-html';
import { readXml } from '#markup/read-xml';
import { ParseError } from '#parse-error';
import type { FormatParser } from '#parsed-document';
import { decodeText } from '#text/decode-text';
import { DocumentWriter } from '#text/document-writer';
import { openZip, type ZipArchive } from '#zip/zip-archive';

/** In a book without DRM, only fonts can be obfuscated (EPUB OCF §4.4). */
const fontObfuscation = /^http:\/\/(?:www\.idpf\.org\/2008\/embedding|ns\.adobe\.com\/pdf\/enc#RC)$/;

const assertReadable = async (zip: ZipArchive): Promise<void> => {
  const part = 'META-INF/encryption.xml';
  if (!zip.has(part)) return;
  for (const { name, attributes } of descendants(readXml(await zip.read(part)))) {
    if (name === 'EncryptionMethod' && !fontObfuscation.test(attributes.Algorithm ?? '')) {
      throw new ParseError('encrypted', 'This book is protected by DRM. Upload a copy without DRM.');
    }
  }
};

/** Returns the name of the package document: from the container, else by its extension. */
const packagePart = async (zip: ZipArchive): Promise<string> => {
  const container = 'META-INF/container.xml';
  const root = zip.has(container) ? findElement(readXml(await zip.read(container)), 'rootfile') : undefined;
  const part = root?.attributes['full-path'] ?? zip.names.find((name) => name.endsWith('.opf'));
  if (part === undefined || !zip.has(part))
    throw new ParseError(
      'corrupt_file',
      'This book is damaged: its package document is missing. Export it again and upload the new copy.',
    );
  return part;
};

/** Returns the chapters' entries in reading order. */
const chapterParts = (zip: ZipArchive, part: string, book: MarkupElement): string[] => {
  const hrefs = new Map(
    childElements(findElement(book, 'manifest'), 'item').map(({ attributes }) => [attributes.id, attributes.href]),
  );
  return childElements(findElement(book, 'spine'), 'itemref')
    .map(({ attributes }) => hrefs.get(attributes.idref))
    .filter((href) => href !== undefined)
    .map((href) => posix.join(posix.dirname(part), decodeURIComponent(href.split('#', 1)[0] ?? '')))
    .filter((name) => zip.has(name));
};

/** Parses a book, with its chapters in reading order. */
export const parseEpub: FormatParser = async ({ bytes, limits }) => {
  const zip = await openZip(bytes, limits.maxInflatedBytes);
  await assertReadable(zip);
  const part = await packagePart(zip);
  const book = readXml(await zip.read(part));
  const writer = new DocumentWriter(limits.maxTextChars);
  for (const chapter of chapterParts(zip, part, book)) {
    const page = readHtml(decodeText(await zip.read(chapter)).text, { xml: true });
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
