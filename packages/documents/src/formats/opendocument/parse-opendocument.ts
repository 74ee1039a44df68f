import { BodyWriter } from '#formats/opendocument/write-body';
import { findElement, textOf } from '#markup/element';
import { readXml } from '#markup/read-xml';
import { ParseError } from '#parse-error';
import type { FormatParser, ParsedContent } from '#parsed-document';
import { DocumentWriter } from '#text/document-writer';
import { openZip, type ZipArchive } from '#zip/zip-archive';

const assertReadable = async (zip: ZipArchive): Promise<void> => {
  const manifest = 'META-INF/manifest.xml';
  if (zip.has(manifest) && findElement(readXml(await zip.read(manifest)), 'encryption-data')) {
    throw new ParseError(
      'encrypted',
      'This document is protected by a password. Remove the password and upload the file again.',
    );
  }
};

const metaOf = async (zip: ZipArchive): Promise<Pick<ParsedContent, 'title' | 'metadata'>> => {
  if (!zip.has('meta.xml')) return {};
  const meta = readXml(await zip.read('meta.xml'));
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

/** Parses an OpenDocument text or presentation. Slides become pages. */
export const parseOpendocument: FormatParser = async ({ bytes, limits }) => {
  const zip = await openZip(bytes, limits.maxInflatedBytes);
  await assertReadable(zip);
  const body = findElement(readXml(await zip.read('content.xml')), 'body');
  const writer = new DocumentWriter(limits.maxTextChars);
  if (body) new BodyWriter(writer).blocks(body);
  const written = writer.finish();
  const { title, metadata } = await metaOf(zip);
  return { ...written, title, metadata: { ...metadata, pages: written.pageOffsets?.length } };
};
