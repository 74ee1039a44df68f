import { coreProperties } from '#formats/ooxml/core-properties';
import { relationshipsOf } from '#formats/ooxml/relationships';
import { SlideWriter } from '#formats/pptx/write-slide';
import { descendants, findElement } from '#markup/element';
import { readXml } from '#markup/read-xml';
import { ParseError } from '#parse-error';
import type { FormatParser } from '#parsed-document';
import { DocumentWriter } from '#text/document-writer';
import { openZip, type ZipArchive } from '#zip/zip-archive';

/** Returns the slides' parts in presentation order. */
const slideParts = async (zip: ZipArchive): Promise<string[]> => {
  const main = zip.names.find((name) => /^ppt\/presentation\d*\.xml$/.test(name));
  if (main === undefined)
    throw new ParseError(
      'corrupt_file',
      'This presentation is damaged: its main part is missing. Save it again and upload the new copy.',
    );
  const targets = new Map((await relationshipsOf(zip, main)).map(({ id, target }) => [id, target]));
  const list = findElement(readXml(await zip.read(main)), 'sldIdLst');
  return [...(list ? descendants(list) : [])]
    .map((slide) => targets.get(slide.attributes['r:id'] ?? ''))
    .filter((part): part is string => part !== undefined && zip.has(part));
};

/**
 * Parses a presentation: one page per slide, with title, lists, tables, diagrams and speaker notes.
 */
export const parsePptx: FormatParser = async ({ bytes, limits }) => {
  const zip = await openZip(bytes, limits.maxInflatedBytes);
  const writer = new DocumentWriter(limits.maxTextChars);
  const slides = await slideParts(zip);
  let firstTitle: string | undefined;
  for (const part of slides) {
    writer.startPage();
    const slideTitle = await new SlideWriter(zip, part, writer).write();
    firstTitle ??= slideTitle;
  }
  const { title, metadata } = await coreProperties(zip);
  return { ...writer.finish(), title: title ?? firstTitle, metadata: { ...metadata, pages: slides.length } };
};
