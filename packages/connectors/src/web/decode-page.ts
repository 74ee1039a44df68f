/** Browsers look for a charset in the first kilobyte; many pages declare it later. */
const HEAD_BYTES = 16 * 1024;

/** Returns the charset parameter of a content type. */
export const charsetOf = (contentType: string | null): string | undefined =>
  /;\s*charset\s*=\s*"?([\w.:-]{1,40})/i.exec(contentType ?? '')?.[1];

function markedCharset(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined;
}

function declaredCharset(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, HEAD_BYTES)).toString('latin1');
  return /charset\s{0,9}=\s{0,9}["']?([\w.:-]{1,40})/i.exec(head)?.[1];
}

const isUtf16 = (bytes: Uint8Array): boolean => bytes.subarray(0, HEAD_BYTES).includes(0);

function decoderOf(label: string | undefined) {
  try {
    return label === undefined ? undefined : new TextDecoder(label);
  } catch {
    return undefined;
  }
}

/**
 * Decodes a page to read its links. The charset is, in this order: from a byte order mark; UTF-8 if
 * the bytes are valid; from the header; from the page; windows-1252, which accepts any bytes.
 */
export function decodePage(bytes: Uint8Array, contentType: string | null): string {
  const marked = decoderOf(markedCharset(bytes));
  if (marked !== undefined) return marked.decode(bytes);
  try {
    if (!isUtf16(bytes)) return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    // Not UTF-8.
  }
  const declared = [charsetOf(contentType), declaredCharset(bytes)]
    // A page without zero bytes is not in UTF-16, whatever it declares.
    .filter((label) => isUtf16(bytes) || !/^(utf-?16|ucs-?2|unicode)/i.test(label ?? ''))
    .map(decoderOf)
    .find((decoder) => decoder !== undefined);
  return (declared ?? new TextDecoder('windows-1252')).decode(bytes);
}
