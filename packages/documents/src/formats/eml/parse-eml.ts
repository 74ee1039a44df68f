import PostalMime, { type Address, type Attachment, type Email } from 'postal-mime';
import { renderHtml } from '#formats/html/render-html';
import { MAX_ATTACHMENTS, writeAttachment } from '#formats/mail/write-attachment';
import { readHtml } from '#markup/read-html';
import type { FormatParser, NestedFile } from '#parsed-document';
import { DocumentWriter } from '#text/document-writer';

const addressText = (address: Address): string => {
  if (address.group) return `${address.name}: ${address.group.map(addressText).join(', ')}`;
  return address.name && address.address ? `${address.name} <${address.address}>` : address.name || address.address;
};

const headerLines = ({ from, to, cc, date, subject }: Email): string =>
  [
    ['Subject', subject],
    ['From', from && addressText(from)],
    ['To', to?.map(addressText).join(', ')],
    ['Cc', cc?.map(addressText).join(', ')],
    ['Date', date],
  ]
    .filter(([, value]) => value)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');

const writeBody = ({ html, text }: Email, writer: DocumentWriter): void => {
  if (text && text.trim() !== '') writer.paragraph(text);
  else if (html) renderHtml(readHtml(html), writer, { dropBoilerplate: false, keepLinks: false });
};

const nameOf = ({ filename, mimeType }: Attachment): string => filename ?? `attachment (${mimeType})`;

/** Parts that a saved web page consists of, besides its text. */
const isPagePart = ({ filename, disposition, mimeType }: Attachment): boolean =>
  filename === null &&
  disposition !== 'attachment' &&
  /^(?:image|font)\/|^text\/css$|^(?:text|application)\/(?:x-)?javascript$/i.test(mimeType);

const contentOf = ({ content }: Attachment): Uint8Array =>
  typeof content === 'string' ? Buffer.from(content, 'utf8') : new Uint8Array(content);

const fileOf = (attachment: Attachment): NestedFile => ({
  bytes: contentOf(attachment),
  fileName: nameOf(attachment),
  mimeType: attachment.mimeType,
});

/**
 * Parses a message: headers, text and supported attachments. Attached messages are read one level
 * deep.
 */
export const parseEml: FormatParser = async (source) => {
  const email = await PostalMime.parse(source.bytes, { maxNestingDepth: 50, maxRfc822NestingDepth: 3 });
  const writer = new DocumentWriter(source.limits.maxTextChars);
  writer.paragraph(headerLines(email));
  writeBody(email, writer);
  const attachments = email.attachments.filter(
    (attachment) => (!attachment.related || attachment.filename !== null) && !isPagePart(attachment),
  );
  const parsed = source.depth < 2 ? attachments.filter(({ related }) => !related).slice(0, MAX_ATTACHMENTS) : [];
  for (const attachment of parsed) await writeAttachment(fileOf(attachment), writer, source);
  return {
    ...writer.finish(),
    title: email.subject,
    metadata: {
      author: email.from && addressText(email.from),
      createdAt: email.date,
      attachments: attachments.map(nameOf),
    },
  };
};
