import { coreProperties } from '#formats/ooxml/core-properties';
import { relationshipsOf } from '#formats/ooxml/relationships';
import { SlideWriter } from '#formats/pptx/write-slide';
import { descendants, findElement } from '#markup/element';
import { readXml } from '#markup/read-xml';
import { ParseError } from '#parse-error';
import type { FormatParser } from '#parsed-document';
import { DocumentWriter } from '#text/document-writer';
import { ZipFile } from '#zip/open-zip';

/** The slides' parts in the order they are shown. */
const slideParts = (zip: ZipFile): string[] => {
  const main = zip.names.find((name) => /^ppt\/presentation\d*\.xml$/.test(name));
  if (main === undefined)
    throw new ParseError('corrupt_file', 'This presentation is damaged: its main part is missing.');
  const targets = new Map(relationshipsOf(zip, main).map(({ id, target }) => [id, target]));
  const list = findElement(readXml(zip.read(main)), 'sldIdLst');
  return [...(list ? descendants(list) : [])]
    .map((slide) => targets.get(slide.attributes['r:id'] ?? ''))
    .filter((part): part is string => part !== undefined && zip.has(part));
};

/** A presentation: a page a slide, with its title, lists, tables, diagrams and speaker's notes. */
export const parsePptx: FormatParser = async ({ bytes, limits }) => {
  const zip = new ZipFile(bytes, limits.maxInflatedBytes);
  const writer = new DocumentWriter(limits.maxTextChars);
  const slides = slideParts(zip);
  let firstTitle: string | undefined;
  for (const part of slides) {
    writer.startPage();
    const slideTitle = new SlideWriter(zip, part, writer).write();
    firstTitle ??= slideTitle;
  }
  const { title, metadata } = coreProperties(zip);
  return { ...writer.finish(), title: title ?? firstTitle, metadata: { ...metadata, pages: slides.length } };
};
