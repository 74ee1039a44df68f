import { cleanHtml, textOfHtml } from '#html/clean-html';
import {
  createEarlierText,
  type MarkedHtml,
  plainBlocks,
  quotationMarks,
  readMarkedHtml,
  writeHtml,
} from '#html/quotations';
import type { TextPart } from '#imap/body-parts';

/** Quotations are searched for in texts up to this length, in UTF-16 units. */
const MAX_CHARS = 500_000;

/** https://www.rfc-editor.org/rfc/rfc2045#section-6.7 */
const decodeQuotedPrintable = (text: string): string =>
  text
    .replace(/[ \t]+(?=\r?\n|$)/g, '')
    .replace(/=\r?\n/g, '')
    .replace(/=([0-9A-Fa-f]{2})/g, (_whole, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

/** Returns the text of a part. Bytes of an unknown charset are read as Western European ones. */
function decode({ encoding, charset }: TextPart, bytes: Buffer): string {
  const raw =
    encoding === 'base64'
      ? Buffer.from(bytes.toString('latin1'), 'base64')
      : encoding === 'quoted-printable'
        ? Buffer.from(decodeQuotedPrintable(bytes.toString('latin1')), 'latin1')
        : bytes;
  try {
    return new TextDecoder(charset).decode(raw);
  } catch {
    return new TextDecoder('windows-1252').decode(raw);
  }
}

/** Reads HTML that contains quotations; undefined for all else. */
export function readQuotingHtml(part: TextPart, bytes: Buffer): MarkedHtml | undefined {
  if (part.type !== 'text/html') return undefined;
  const html = decode(part, bytes);
  if (html.length > MAX_CHARS) return undefined;
  const marked = readMarkedHtml(cleanHtml(html, { topHeading: 1, marksAround: quotationMarks }));
  return marked.blocks.some(({ isQuoted }) => isQuoted) ? marked : undefined;
}

/** Returns the text of an earlier message. */
export function earlierText(part: TextPart, bytes: Buffer): string {
  const text = decode(part, bytes).slice(0, MAX_CHARS);
  if (part.type === 'text/html') return textOfHtml(cleanHtml(text));
  return plainBlocks(text)
    .map((block) => block.text.replace(/^[>\s]+/, ''))
    .join('\n');
}

/**
 * Returns HTML without the quotations of which each word is in an earlier message, as a part in
 * UTF-8. Undefined if nothing is left out, or nothing is left.
 */
export function omitHtmlQuotes(
  part: TextPart,
  marked: MarkedHtml,
  earlierTexts: readonly string[],
): readonly [TextPart, Buffer] | undefined {
  const earlier = createEarlierText();
  for (const text of earlierTexts) earlier.add(text);
  const kept = earlier.kept(marked.blocks);
  const html = kept.includes(false) ? writeHtml(marked, kept) : '';
  if (html === '') return undefined;
  const encoded = Buffer.from(html).toString('base64').replace(/.{76}/g, '$&\r\n');
  return [{ ...part, charset: 'utf-8', encoding: 'base64' }, Buffer.from(encoded)];
}
