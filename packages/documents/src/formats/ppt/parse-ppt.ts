import { openCompoundFile } from '#compound/compound-file';
import { summaryOf } from '#compound/summary-information';
import { type OldSlide, readSlides } from '#formats/ppt/slide-records';
import type { FormatParser } from '#parsed-document';
import { DocumentWriter } from '#text/document-writer';

/** Stands for the number of the slide, the date and the like. */
const PLACEHOLDER = /^\*$/;

const linesOf = (text: string): string[] =>
  text
    .replaceAll('\u000b', ' ')
    .split('\r')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !PLACEHOLDER.test(line));

/** Writes a slide as a page. Returns its title. */
function writeSlide({ texts, notes }: OldSlide, writer: DocumentWriter): string | undefined {
  writer.startPage();
  const title = texts.find(({ kind }) => kind === 'title');
  const titleText = title === undefined ? undefined : linesOf(title.text).join(' ');
  writer.heading(2, titleText ?? '');
  for (const part of texts) {
    if (part === title) continue;
    const isList = part.kind === 'body';
    for (const line of linesOf(part.text)) {
      if (isList) writer.listItem(line, 0);
      else writer.paragraph(line);
    }
    writer.endList();
  }
  const noteLines = notes.flatMap(({ text }) => linesOf(text));
  if (noteLines.length > 0) writer.paragraph(`Notes: ${noteLines.join('\n')}`);
  return titleText;
}

/** Parses a presentation of PowerPoint 97 to 2003: one page per slide, with its texts and notes. */
export const parsePpt: FormatParser = async ({ bytes, limits }) => {
  const file = openCompoundFile(bytes);
  const writer = new DocumentWriter(limits.maxTextChars);
  const titles: (string | undefined)[] = [];
  for (const slide of readSlides(file)) titles.push(writeSlide(slide, writer));
  const { title, metadata } = summaryOf(file);
  const firstTitle = titles.find((found) => found !== undefined && found !== '');
  return { ...writer.finish(), title: title ?? firstTitle, metadata: { ...metadata, pages: titles.length } };
};
