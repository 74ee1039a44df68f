import { ParseError } from '#parse-error';
import type { NestedFile, ParseSource } from '#parsed-document';
import type { DocumentWriter } from '#text/document-writer';

/** Attachments of a message that are read. */
export const MAX_ATTACHMENTS = 20;

/** Writes a supported attachment as a section. Writes only the name of other attachments. */
export async function writeAttachment(
  file: NestedFile,
  writer: DocumentWriter,
  { parseNested }: ParseSource,
): Promise<void> {
  try {
    const { text } = await parseNested(file);
    writer.heading(2, `Attachment: ${file.fileName}`);
    writer.normalized(text);
  } catch (error) {
    if (!(error instanceof ParseError) || error.code === 'too_large') throw error;
    writer.paragraph(`Attachment: ${file.fileName}`);
  }
}
