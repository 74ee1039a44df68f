import { BodyWriter } from '#formats/opendocument/write-body';
import { findElement, textOf } from '#markup/element';
import { readXml } from '#markup/read-xml';
import { ParseError } from '#parse-error';
import type { FormatParser, ParsedContent } from '#parsed-document';
import { DocumentWriter } from '#text/document-writer';
import { ZipFile } from '#zip/open-zip';

const assertReadable = (zip: ZipFile): void => {
  const manifest = 'META-INF/manifest.xml';
  if (zip.has(manifest) && findElement(readXml(zip.read(manifest)), 'encryption-data')) {
    throw new ParseError('encrypted', 'This document is protected by a password. Remove it and upload the file again.');
  }
};

const metaOf = (zip: ZipFile): Pick<ParsedContent, 'title' | 'metadata'> => {
  if (!zip.has('meta.xml')) return {};
  const meta = readXml(zip.read('meta.xml'));
  const field = (name: string): string | undefined => {
    const element = findElement(meta, name);
    return element ? textOf(element).trim() || undefined : undefined;
  };
  return {
    title: field('title'),
    metadata: {
      author: field('initial-creator') ?? field('creator'),
      description: field('description') ?? field('subject'),
      language: field('language'),
      createdAt: field('creation-date'),
      modifiedAt: field('date'),
    },
  };
};

/** An OpenDocument text or presentation: headings, paragraphs, lists, tables, text boxes; slides as pages. */
export const parseOpendocument: FormatParser = async ({ bytes, limits }) => {
  const zip = new ZipFile(bytes, limits.maxInflatedBytes);
  assertReadable(zip);
  const body = findElement(readXml(zip.read('content.xml')), 'body');
  const writer = new DocumentWriter(limits.maxTextChars);
  if (body) new BodyWriter(writer).blocks(body);
  const written = writer.finish();
  const { title, metadata } = metaOf(zip);
  return { ...written, title, metadata: { ...metadata, pages: written.pageOffsets?.length } };
};
