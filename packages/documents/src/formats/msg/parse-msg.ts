import { decodeCodePage } from '#compound/code-page';
import { type CompoundFile, openCompoundFile } from '#compound/compound-file';
import { fileTimeToIso } from '#compound/file-time';
import { renderHtml } from '#formats/html/render-html';
import { MAX_ATTACHMENTS, writeAttachment } from '#formats/mail/write-attachment';
import { readHtml } from '#markup/read-html';
import type { FormatParser } from '#parsed-document';
import { DocumentWriter } from '#text/document-writer';

// Outlook messages (MS-OXMSG). A property is a stream named after its tag; the tags are those of
// MS-OXPROPS.

const SUBJECT = '0037';
const SENDER_NAME = '0C1A';
const SENDER_ADDRESS = '5D01';
const SENDER_OTHER_ADDRESS = '0C1F';
const TO = '0E04';
const CC = '0E03';
const BODY = '1000';
const BODY_HTML = '1013';
const ATTACHMENT_DATA = '3701';
const ATTACHMENT_LONG_NAME = '3707';
const ATTACHMENT_NAME = '3704';
const ATTACHMENT_TYPE = '370E';

const UNICODE = '001F';
const STRING8 = '001E';
const BINARY = '0102';

const TAG_CODE_PAGE = 0x3ffd0003;
const TAG_DELIVERED = 0x0e060040;
const TAG_SUBMITTED = 0x00390040;
const TAG_HTML_CODE_PAGE = 0x3fde0003;

/** The size of the header of the properties of a message, and of each property. */
const PROPERTIES_HEADER = 32;
const PROPERTY = 16;

/** Reads the properties with a fixed length, as 8 bytes each. */
function readFixed(file: CompoundFile): ReadonlyMap<number, Buffer> {
  const stream = file.require('__properties_version1.0');
  const values = new Map<number, Buffer>();
  for (let at = PROPERTIES_HEADER; at + PROPERTY <= stream.length; at += PROPERTY) {
    values.set(stream.readUInt32LE(at), stream.subarray(at + 8, at + PROPERTY));
  }
  return values;
}

/** The texts of a message or of an attachment. */
interface Texts {
  text(tag: string): string | undefined;
  binary(tag: string): Buffer | undefined;
}

function textsIn(file: CompoundFile, folder: string, codePage: number): Texts {
  const stream = (tag: string, type: string) => file.read(`${folder}__substg1.0_${tag}${type}`);
  return {
    text: (tag) => {
      const unicode = stream(tag, UNICODE);
      if (unicode !== undefined) return unicode.toString('utf16le').replace(/\0+$/, '');
      const bytes = stream(tag, STRING8);
      return bytes === undefined ? undefined : decodeCodePage(bytes, codePage).replace(/\0+$/, '');
    },
    binary: (tag) => stream(tag, BINARY),
  };
}

function senderOf({ text }: Texts): string | undefined {
  const name = text(SENDER_NAME);
  // An address in an Exchange organization is a path, not an email address.
  const address = [text(SENDER_ADDRESS), text(SENDER_OTHER_ADDRESS)].find((found) => found?.includes('@'));
  if (name && address && name !== address) return `${name} <${address}>`;
  return address ?? name;
}

function writeBody({ text, binary }: Texts, htmlCodePage: number, writer: DocumentWriter): void {
  const plain = text(BODY);
  if (plain !== undefined && plain.trim() !== '') {
    writer.paragraph(plain);
    return;
  }
  const html = binary(BODY_HTML);
  const markup = html === undefined ? text(BODY_HTML) : decodeCodePage(html, htmlCodePage);
  if (markup !== undefined) renderHtml(readHtml(markup), writer, { dropBoilerplate: false, keepLinks: false });
}

interface MsgAttachment {
  readonly fileName: string;
  readonly mimeType: string;
  /** Undefined for attached messages and for links. */
  readonly bytes: Buffer | undefined;
}

function attachmentsOf(file: CompoundFile, codePage: number): MsgAttachment[] {
  const folders = new Set(file.paths.flatMap((path) => /^__attach_version1\.0_#[\dA-F]{8}\//i.exec(path)?.[0] ?? []));
  return [...folders].sort().map((folder) => {
    const { text, binary } = textsIn(file, folder, codePage);
    return {
      fileName: text(ATTACHMENT_LONG_NAME) || text(ATTACHMENT_NAME) || 'attachment',
      mimeType: text(ATTACHMENT_TYPE) ?? '',
      bytes: binary(ATTACHMENT_DATA),
    };
  });
}

/** Parses an Outlook message: headers, text and supported attachments. */
export const parseMsg: FormatParser = async (source) => {
  const file = openCompoundFile(source.bytes);
  const fixed = readFixed(file);
  const codePage = fixed.get(TAG_CODE_PAGE)?.readUInt32LE(0) ?? 1252;
  const htmlCodePage = fixed.get(TAG_HTML_CODE_PAGE)?.readUInt32LE(0) ?? codePage;
  const texts = textsIn(file, '', codePage);
  const time = fixed.get(TAG_DELIVERED) ?? fixed.get(TAG_SUBMITTED);
  const date = time === undefined ? undefined : fileTimeToIso(time.readBigUInt64LE(0));
  const subject = texts.text(SUBJECT);
  const author = senderOf(texts);
  const writer = new DocumentWriter(source.limits.maxTextChars);
  const headers = { Subject: subject, From: author, To: texts.text(TO), Cc: texts.text(CC), Date: date };
  const lines = Object.entries(headers).flatMap(([name, value]) => (value ? [`${name}: ${value}`] : []));
  writer.paragraph(lines.join('\n'));
  writeBody(texts, htmlCodePage, writer);
  const attachments = attachmentsOf(file, codePage);
  const parsed = source.depth < 2 ? attachments.slice(0, MAX_ATTACHMENTS) : [];
  for (const { bytes, ...file } of parsed) {
    if (bytes === undefined) writer.paragraph(`Attachment: ${file.fileName}`);
    else await writeAttachment({ ...file, bytes }, writer, source);
  }
  const names = attachments.map(({ fileName }) => fileName);
  return { ...writer.finish(), title: subject, metadata: { author, createdAt: date, attachments: names } };
};
