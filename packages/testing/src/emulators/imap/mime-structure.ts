// The parts of a message, as a server describes them in ENVELOPE and BODYSTRUCTURE.
// https://www.rfc-editor.org/rfc/rfc9051#section-7.5.2

/** A part of a message. */
export interface MimePart {
  readonly header: Buffer;
  readonly body: Buffer;
  readonly type: string;
  readonly subtype: string;
  readonly params: Readonly<Record<string, string>>;
  readonly parts: readonly MimePart[];
  /** The message in a part of the type `message/rfc822`. */
  readonly message: MimePart | undefined;
}

const CRLF = '\r\n';
const MAX_DEPTH = 40;

function splitHeader(raw: Buffer): readonly [Buffer, Buffer] {
  if (raw.subarray(0, 2).toString('latin1') === CRLF) return [Buffer.alloc(0), raw.subarray(2)];
  const end = raw.indexOf('\r\n\r\n');
  return end < 0 ? [raw, Buffer.alloc(0)] : [raw.subarray(0, end + 2), raw.subarray(end + 4)];
}

/** Returns the fields of a header in order, unfolded. */
export function headerFields(header: Buffer): readonly (readonly [string, string])[] {
  const lines = header
    .toString('utf8')
    .replace(/\r\n[ \t]+/g, ' ')
    .split(CRLF);
  return lines.flatMap((line) => {
    const at = line.indexOf(':');
    return at < 1 ? [] : [[line.slice(0, at).trim().toLowerCase(), line.slice(at + 1).trim()] as const];
  });
}

export const fieldOf = (header: Buffer, name: string): string | undefined =>
  headerFields(header).find(([candidate]) => candidate === name)?.[1];

/** Parses `value; name=value; …`. */
function parseParams(text: string): { readonly value: string; readonly params: Record<string, string> } {
  const params: Record<string, string> = {};
  const found = text.matchAll(/;\s*([^=;\s]+)\s*=\s*("(?:[^"\\]|\\.)*"|[^;]*)/g);
  for (const [, name = '', value = ''] of found) {
    params[name.toLowerCase()] = value
      .trim()
      .replace(/^"(.*)"$/, '$1')
      .replace(/\\(.)/g, '$1');
  }
  return { value: (text.split(';')[0] ?? '').trim(), params };
}

function splitParts(body: Buffer, boundary: string): readonly Buffer[] {
  const text = `${CRLF}${body.toString('latin1')}`;
  const [, ...rest] = text.split(`${CRLF}--${boundary}`);
  const parts: Buffer[] = [];
  for (const piece of rest) {
    if (piece.startsWith('--')) break;
    parts.push(Buffer.from(piece.replace(/^[ \t]*\r\n/, ''), 'latin1'));
  }
  return parts;
}

/** Parses a message or a part of one. */
export function parseMime(raw: Buffer, depth = 0): MimePart {
  const [header, body] = splitHeader(raw);
  const { value, params } = parseParams(fieldOf(header, 'content-type') ?? 'text/plain; charset=us-ascii');
  const [type = 'text', subtype = 'plain'] = /^[\w.+-]+\/[\w.+-]+$/.test(value) ? value.toLowerCase().split('/') : [];
  const shared = { header, body, type, subtype, params };
  if (type === 'multipart' && params.boundary !== undefined && depth < MAX_DEPTH) {
    const parts = splitParts(body, params.boundary).map((part) => parseMime(part, depth + 1));
    // A multipart without parts is described as text, as Dovecot does.
    if (parts.length > 0) return { ...shared, parts, message: undefined };
  }
  const isMessage = type === 'message' && subtype === 'rfc822' && depth < MAX_DEPTH;
  if (type === 'multipart') return { ...shared, type: 'text', subtype: 'plain', parts: [], message: undefined };
  return { ...shared, parts: [], message: isMessage ? parseMime(body, depth + 1) : undefined };
}

/** Returns the part with a number of FETCH, for example `1.2`. */
export function partOf(root: MimePart, number: string): MimePart | undefined {
  let part: MimePart | undefined = root;
  for (const digit of number.split('.').map(Number)) {
    const holder: MimePart | undefined = part?.message ?? part;
    if (holder === undefined) return undefined;
    if (holder.parts.length === 0) part = digit === 1 ? holder : undefined;
    else part = holder.parts[digit - 1];
  }
  return part;
}

// --- Descriptions, as JSON that tests can change before it is sent ---

interface EnvelopeAddress {
  readonly name: string | null;
  readonly route: null;
  readonly mailbox: string | null;
  readonly host: string | null;
}

function addresses(text: string | undefined): readonly EnvelopeAddress[] | null {
  if (text === undefined || text.trim() === '') return null;
  return (text.match(/(?:"[^"]*"|[^,"]|"(?=[^"]*$))+/g) ?? []).map((entry) => {
    const found = /^\s*(?:"?([^"<]*?)"?\s*)?<([^<>]*)>\s*$/.exec(entry);
    const address = (found?.[2] ?? entry).trim();
    const at = address.lastIndexOf('@');
    const name = found?.[1]?.trim();
    return {
      name: name === undefined || name === '' ? null : name,
      route: null,
      mailbox: at < 0 ? address : address.slice(0, at),
      host: at < 0 ? 'unknown' : address.slice(at + 1),
    };
  });
}

export function envelopeOf({ header }: MimePart) {
  const field = (name: string) => fieldOf(header, name) ?? null;
  const from = addresses(fieldOf(header, 'from'));
  return {
    date: field('date'),
    subject: field('subject'),
    from,
    sender: addresses(fieldOf(header, 'sender')) ?? from,
    replyTo: addresses(fieldOf(header, 'reply-to')) ?? from,
    to: addresses(fieldOf(header, 'to')),
    cc: addresses(fieldOf(header, 'cc')),
    bcc: addresses(fieldOf(header, 'bcc')),
    inReplyTo: field('in-reply-to'),
    messageId: field('message-id'),
  };
}

const pairs = (params: Readonly<Record<string, string>>): readonly string[] | null =>
  Object.keys(params).length === 0 ? null : Object.entries(params).flat();

const dispositionOf = (header: Buffer) => {
  const text = fieldOf(header, 'content-disposition');
  if (text === undefined) return null;
  const { value, params } = parseParams(text);
  return { type: value, params: pairs(params) };
};

const lines = (body: Buffer) => body.toString('latin1').split(CRLF).length - 1;

/** Describes a part in the order of BODYSTRUCTURE. */
export function structureOf(part: MimePart): Record<string, unknown> {
  const disposition = dispositionOf(part.header);
  if (part.parts.length > 0) {
    return {
      parts: part.parts.map(structureOf),
      ...{ subtype: part.subtype, params: pairs(part.params), disposition, language: null, location: null },
    };
  }
  return {
    ...{ type: part.type, subtype: part.subtype, params: pairs(part.params) },
    ...{ id: fieldOf(part.header, 'content-id') ?? null, description: null },
    encoding: fieldOf(part.header, 'content-transfer-encoding')?.toLowerCase() ?? '7bit',
    size: part.body.length,
    ...(part.message === undefined
      ? {}
      : {
          envelope: Object.values(envelopeOf(part.message)),
          body: structureOf(part.message),
          lines: lines(part.body),
        }),
    ...(part.type === 'text' ? { lines: lines(part.body) } : {}),
    ...{ md5: null, disposition, language: null, location: null },
  };
}
