import type { MessageStructureObject } from 'imapflow';
import { canContainText } from '#media-type';

/** Limits for one message. Its other parts are left out. */
const MAX_TEXTS = 20;
const MAX_ATTACHMENTS = 100;
const MAX_PARTS = 5_000;
const MAX_DEPTH = 40;
const MAX_NAME_CHARS = 200;

/** A part with text of the message itself. */
export interface TextPart {
  readonly part: string;
  readonly type: 'text/plain' | 'text/html';
  readonly charset: string;
  readonly encoding: string;
  readonly isFlowed: boolean;
  readonly sizeBytes: number;
}

export interface AttachmentPart {
  readonly part: string;
  readonly fileName: string;
  readonly mimeType: string;
  /** Before decoding. */
  readonly sizeBytes: number;
}

export interface BodyParts {
  readonly texts: readonly TextPart[];
  readonly attachments: readonly AttachmentPart[];
}

/** Signatures, keys and invisible parts. */
const NO_ATTACHMENT =
  /^application\/(pgp-(signature|encrypted|keys)|(x-)?pkcs7-(signature|mime)|ms-tnef)$|^message\/(delivery-status|disposition-notification|partial|external-body)$|^text\/(rfc822-headers|x-amp-html)$/;

const token = (text: string | undefined, form: RegExp, otherwise: string): string => {
  const lower = (text ?? '').toLowerCase();
  return form.test(lower) ? lower : otherwise;
};

/** Returns a name without folders and control characters; undefined if nothing remains. */
function cleanName(text: string | undefined): string | undefined {
  const name = (text ?? '')
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}]/gu, '')
    .split(/[/\\]/)
    .at(-1)
    ?.trim();
  return name === undefined || name === '' ? undefined : name.slice(-MAX_NAME_CHARS);
}

const EXTENSIONS: Readonly<Record<string, string>> = {
  'application/pdf': 'pdf',
  'message/rfc822': 'eml',
  'text/calendar': 'ics',
  'text/csv': 'csv',
  'text/html': 'html',
  'text/plain': 'txt',
};

function attachmentOf(node: MessageStructureObject, name: string | undefined): AttachmentPart {
  const mimeType = token(node.type, /^[\w.+-]+\/[\w.+-]+$/, 'application/octet-stream');
  const subject = mimeType === 'message/rfc822' ? cleanName(node.envelope?.subject) : undefined;
  const extension = EXTENSIONS[mimeType];
  const made = `${subject ?? 'attachment'}${extension === undefined ? '' : `.${extension}`}`;
  return { part: node.part ?? '1', fileName: name ?? made, mimeType, sizeBytes: node.size ?? 0 };
}

const isText = (type: string): type is TextPart['type'] => type === 'text/plain' || type === 'text/html';

const textPart = (node: MessageStructureObject, type: TextPart['type']): TextPart => ({
  part: node.part ?? '1',
  type,
  charset: token(node.parameters?.charset, /^[a-z0-9._:()+-]{1,40}$/, 'utf-8'),
  encoding: token(node.encoding, /^(7bit|8bit|binary|base64|quoted-printable)$/, '8bit'),
  isFlowed: node.parameters?.format?.toLowerCase() === 'flowed',
  sizeBytes: node.size ?? 0,
});

/**
 * Splits a structure into the texts of the message and its attachments. Of alternatives, plain text
 * counts, unless it is empty. Pictures, signatures and parts over the limits are left out.
 */
export function bodyParts(root: MessageStructureObject): BodyParts {
  const texts: TextPart[] = [];
  const attachments: AttachmentPart[] = [];
  let visited = 0;

  const visit = (node: MessageStructureObject, depth: number, into: TextPart[]): void => {
    visited += 1;
    if (visited > MAX_PARTS || depth > MAX_DEPTH) return;
    const type = node.type.toLowerCase();
    if (type.startsWith('multipart/')) {
      const children = node.childNodes ?? [];
      if (type !== 'multipart/alternative') {
        for (const child of children) visit(child, depth + 1, into);
        return;
      }
      const choices: TextPart[] = [];
      for (const child of children) visit(child, depth + 1, choices);
      const plain = choices.filter((choice) => choice.type === 'text/plain' && choice.sizeBytes > 2);
      into.push(...(plain.length > 0 ? plain : choices.slice(-1)));
      return;
    }
    const name = cleanName(node.dispositionParameters?.filename ?? node.parameters?.name);
    const isAttached = node.disposition === 'attachment' || name !== undefined || type === 'message/rfc822';
    if (isText(type) && !isAttached) into.push(textPart(node, type));
    else if (isAttached && canContainText(type) && !NO_ATTACHMENT.test(type) && attachments.length < MAX_ATTACHMENTS) {
      attachments.push(attachmentOf(node, name));
    }
  };
  visit(root, 0, texts);
  return { texts: texts.slice(0, MAX_TEXTS), attachments };
}
