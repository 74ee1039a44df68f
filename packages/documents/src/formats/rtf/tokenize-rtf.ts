/** A piece of RTF (specification 1.9.1, "RTF syntax"). */
export type RtfToken =
  | { readonly kind: 'open' }
  | { readonly kind: 'close' }
  | { readonly kind: 'word'; readonly name: string; readonly value: number | undefined }
  | { readonly kind: 'symbol'; readonly name: string }
  | { readonly kind: 'byte'; readonly value: number }
  | { readonly kind: 'text'; readonly bytes: string };

const controlWord = /([a-z]{1,32})(-?\d{1,10})? ?/iy;
const plain = /[^\\{}\r\n]+/y;
const hex = /[0-9a-f]{2}/iy;

/**
 * Yields the tokens of a document decoded as Latin-1, so that each character is one byte. Skips
 * binary data after \bin.
 */
export function* tokenizeRtf(source: string): Generator<RtfToken> {
  let at = 0;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const match = pattern.exec(source);
    if (match) at = pattern.lastIndex;
    return match;
  };
  while (at < source.length) {
    const char = source[at] ?? '';
    if (char === '{' || char === '}') {
      at++;
      yield char === '{' ? { kind: 'open' } : { kind: 'close' };
    } else if (char === '\r' || char === '\n') {
      at++;
    } else if (char !== '\\') {
      const match = take(plain);
      if (match) yield { kind: 'text', bytes: match[0] };
      else at++;
    } else {
      at++;
      const word = take(controlWord);
      if (word) {
        const value = word[2] === undefined ? undefined : Number(word[2]);
        if (word[1] === 'bin') at += Math.max(0, value ?? 0);
        else yield { kind: 'word', name: (word[1] ?? '').toLowerCase(), value };
        continue;
      }
      const name = source[at] ?? '';
      at++;
      const code = name === "'" ? take(hex) : null;
      if (code) yield { kind: 'byte', value: Number.parseInt(code[0], 16) };
      else yield { kind: 'symbol', name };
    }
  }
}
