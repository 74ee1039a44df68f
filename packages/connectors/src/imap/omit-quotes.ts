import type { TextPart } from '#imap/body-parts';

/** Charsets in which line ends and `>` are single bytes, as in ASCII. */
const ASCII_BASED = /^(us-ascii|utf-8|iso-8859-\d+|windows-12\d\d|koi8-[ru])$/;

const isBlank = (line: string | undefined): boolean => line === undefined || line.trim() === '';
const isQuoted = (line: string | undefined): boolean => line?.startsWith('>') ?? false;

/** Removes quoted lines from the end. The text stays as it is if nothing else is in it. */
function withoutLastQuote(text: string, lineEnd: RegExp): string {
  const lines = text.split(lineEnd);
  let end = lines.length;
  while (end > 0 && (isBlank(lines[end - 1]) || isQuoted(lines[end - 1]))) end -= 1;
  if (end === 0 || !lines.slice(end).some(isQuoted)) return text;
  return `${lines.slice(0, end).join('\r\n')}\r\n`;
}

/**
 * Returns an encoded plain text without the message that it quotes at its end with `>`. Quotes
 * between answers stay, and so does a text that is only a quote.
 */
export function omitQuote({ type, charset, encoding }: TextPart, bytes: Buffer): Buffer {
  if (type !== 'text/plain' || !ASCII_BASED.test(charset)) return bytes;
  if (encoding === 'base64') {
    const text = Buffer.from(bytes.toString('latin1'), 'base64').toString('latin1');
    const own = withoutLastQuote(text, /\r?\n/);
    if (own === text) return bytes;
    return Buffer.from(Buffer.from(own, 'latin1').toString('base64').replace(/.{76}/g, '$&\r\n'));
  }
  // A line of quoted-printable continues after `=`.
  const lineEnd = encoding === 'quoted-printable' ? /\r?\n(?<!=[ \t]*\r?\n)/ : /\r?\n/;
  const text = bytes.toString('latin1');
  const own = withoutLastQuote(text, lineEnd);
  return own === text ? bytes : Buffer.from(own, 'latin1');
}
