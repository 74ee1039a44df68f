import { z } from 'zod';
import { MAX_ATTACHMENTS } from '#gmail/item-id';

// A message arrives as the tree of its MIME parts, decoded by Gmail.
// https://developers.google.com/workspace/gmail/api/reference/rest/v1/users.messages#MessagePart

/** Limits on hostile messages. Parts beyond them are left out. */
const MAX_PARTS = 1_000;
const MAX_DEPTH = 50;
const MAX_HEADERS = 500;
const MAX_HEADER_CHARS = 20_000;
/** Smaller images that are shown in the text are usually logos. */
const MIN_IMAGE_BYTES = 20_000;

const Header = z.object({ name: z.string(), value: z.string() });
const Part = z.object({
  mimeType: z.string().catch(''),
  filename: z.string().catch(''),
  headers: z.array(z.unknown()).catch([]),
  body: z
    .object({
      attachmentId: z.string().min(1).optional().catch(undefined),
      size: z.number().optional().catch(undefined),
      data: z.string().optional().catch(undefined),
    })
    .catch({}),
  parts: z.array(z.unknown()).catch([]),
});
type Part = z.infer<typeof Part>;

export interface Attachment {
  /** From 1, in the order of the message. */
  readonly number: number;
  readonly fileName: string;
  readonly mimeType: string;
  readonly sizeBytes: number | undefined;
  /** The id for its content, which changes with every request; else the content as base64url. */
  readonly content: { readonly id: string } | { readonly data: string };
}

export interface TextPart {
  readonly kind: 'html' | 'plain';
  readonly text: string;
}

/** What a message consists of. */
export interface MessageParts {
  /** Returns the value of a header on one line; empty if it is missing. */
  header(name: string): string;
  /** The visible texts in order; of alternatives, the HTML. */
  readonly texts: readonly TextPart[];
  readonly attachments: readonly Attachment[];
}

const headerOf = ({ headers }: Part, name: string): string => {
  for (const raw of headers.slice(0, MAX_HEADERS)) {
    const header = Header.safeParse(raw).data;
    if (header?.name.toLowerCase() !== name) continue;
    return header.value
      .slice(0, MAX_HEADER_CHARS)
      .replace(/[\s\p{Cc}]+/gu, ' ')
      .trim();
  }
  return '';
};

interface Visited {
  readonly part: Part;
  /** The outermost part of the type `multipart/alternative` around it. */
  readonly alternative: Part | undefined;
}

const isMessage = ({ mimeType }: Part) => /^message\/rfc822$/i.test(mimeType);
const hasContent = ({ body: { attachmentId, data } }: Part) => attachmentId !== undefined || data !== undefined;

/** Returns the parts in order. A part inside an attached message belongs to the attachment. */
function visit(payload: unknown): Visited[] {
  const found: Visited[] = [];
  const pending: { raw: unknown; depth: number; alternative: Part | undefined }[] = [
    { raw: payload, depth: 0, alternative: undefined },
  ];
  for (let next = pending.pop(); next !== undefined && found.length < MAX_PARTS; next = pending.pop()) {
    const part = Part.safeParse(next.raw).data;
    if (part === undefined) continue;
    const { depth } = next;
    const isAlternative = /^multipart\/alternative$/i.test(part.mimeType);
    const alternative = next.alternative ?? (isAlternative ? part : undefined);
    found.push({ part, alternative });
    if (depth >= MAX_DEPTH || (isMessage(part) && hasContent(part))) continue;
    const inner = part.parts.slice(0, MAX_PARTS).reverse();
    pending.push(...inner.map((raw) => ({ raw, depth: depth + 1, alternative })));
  }
  return found;
}

/** Decodes text that Gmail usually returns as UTF-8, whatever charset the part declares. */
function decodeText(part: Part): string {
  const bytes = Buffer.from(part.body.data ?? '', 'base64url');
  const declared = /charset\s*=\s*"?([\w.:-]{1,40})/i.exec(headerOf(part, 'content-type'))?.[1];
  for (const charset of ['utf-8', declared]) {
    if (charset === undefined) continue;
    try {
      return new TextDecoder(charset, { fatal: true }).decode(bytes);
    } catch {
      // Not in this charset, or the charset is unknown.
    }
  }
  return new TextDecoder('windows-1252').decode(bytes);
}

const isSignature = ({ mimeType }: Part) => /^application\/(pgp-signature|(x-)?pkcs7-signature)$/i.test(mimeType);

const dispositionOf = (part: Part): string => headerOf(part, 'content-disposition').split(';', 1)[0] ?? '';

/** True for an image that the text shows, for example the logo of a signature. */
function isInlineImage(part: Part, html: string): boolean {
  if (!/^image\//i.test(part.mimeType)) return false;
  const contentId = headerOf(part, 'content-id').replace(/^<|>$/g, '');
  if (contentId !== '' && html.includes(`cid:${contentId}`)) return true;
  return /^inline$/i.test(dispositionOf(part)) && (part.body.size ?? 0) < MIN_IMAGE_BYTES;
}

const kindOf = ({ mimeType }: Part): TextPart['kind'] | undefined => {
  if (/^text\/html$/i.test(mimeType)) return 'html';
  return /^text\/plain$/i.test(mimeType) || mimeType === '' ? 'plain' : undefined;
};

const isText = (part: Part): boolean =>
  kindOf(part) !== undefined &&
  part.filename === '' &&
  part.body.data !== undefined &&
  !/^attachment$/i.test(dispositionOf(part));

const isAttachment = (part: Part): boolean =>
  !/^multipart\//i.test(part.mimeType) &&
  hasContent(part) &&
  !isSignature(part) &&
  (part.filename !== '' || part.body.attachmentId !== undefined || isMessage(part));

const fileNameOf = ({ filename, mimeType }: Part): string => {
  const name = filename
    .replace(/[\p{Cc}/\\]+/gu, ' ')
    .trim()
    .slice(0, 300)
    .toWellFormed();
  if (name !== '') return name;
  return /^message\/rfc822$/i.test(mimeType) ? 'message.eml' : 'attachment';
};

/** Reads the texts and attachments of a message from its payload. */
export function readParts(payload: unknown): MessageParts {
  const visited = visit(payload);
  const root = visited[0]?.part;
  const texts = visited.flatMap(({ part, alternative }) => {
    const kind = kindOf(part);
    return kind === undefined || !isText(part) ? [] : [{ kind, text: decodeText(part), alternative }];
  });
  const withHtml = new Set(
    texts.flatMap(({ kind, text, alternative }) => (kind === 'html' && text.trim() !== '' ? [alternative] : [])),
  );
  const html = texts.map(({ kind, text }) => (kind === 'html' ? text : '')).join('\n');
  const attachments = visited
    .filter(({ part }) => !isText(part) && isAttachment(part) && !isInlineImage(part, html))
    .slice(0, MAX_ATTACHMENTS)
    .map(({ part }, index): Attachment => {
      const { attachmentId: id, data = '', size } = part.body;
      return {
        number: index + 1,
        fileName: fileNameOf(part),
        mimeType: part.mimeType.toLowerCase(),
        sizeBytes: size !== undefined && Number.isSafeInteger(size) && size >= 0 ? size : undefined,
        content: id === undefined ? { data } : { id },
      };
    });
  return {
    header: (name) => (root === undefined ? '' : headerOf(root, name)),
    texts: texts.filter(
      ({ kind, alternative }) => kind === 'html' || alternative === undefined || !withHtml.has(alternative),
    ),
    attachments,
  };
}
