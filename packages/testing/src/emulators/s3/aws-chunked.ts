/** Decodes an `aws-chunked` body: chunks with their sizes, then trailers, which are ignored. */
export function decodeAwsChunked(bytes: Uint8Array): Uint8Array {
  const all = Buffer.from(bytes);
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < all.length; ) {
    const lineEnd = all.indexOf('\r\n', at);
    const size = Number.parseInt(all.toString('latin1', at, lineEnd).split(';')[0] ?? '0', 16);
    if (lineEnd < 0 || !(size > 0)) break;
    pieces.push(all.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = lineEnd + 2 + size + 2;
  }
  return Buffer.concat(pieces);
}
