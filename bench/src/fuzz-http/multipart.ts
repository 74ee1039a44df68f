import { between, type Random } from '#corpus/random';
import { chance, oddValue, pick, textValue } from '#fuzz-http/values';

/** A multipart body with its Content-Type. */
export interface Multipart {
  readonly contentType: string;
  readonly text: string;
}

const clean = (text: string): string => text.replaceAll(/[\r\n\0]/g, ' ');

function part(random: Random, boundary: string): string {
  const name = pick(random, ['files', 'files', 'files', 'metadata', 'other', '', '__proto__']);
  const file = chance(random, 0.7) ? `; filename="${clean(textValue(random, 300))}"` : '';
  const type = chance(random, 0.5)
    ? `Content-Type: ${pick(random, ['text/plain', 'text/html', 'nonsense', 'application/pdf'])}\r\n`
    : '';
  const content = name === 'metadata' ? (JSON.stringify(oddValue(random)) ?? '') : textValue(random, 20_000);
  return `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n${type}\r\n${content}\r\n`;
}

const manyParts = (boundary: string): string =>
  Array.from(
    { length: 3_000 },
    (_, at) => `--${boundary}\r\nContent-Disposition: form-data; name="files"; filename="${at}.txt"\r\n\r\nx\r\n`,
  ).join('');

/** Generates an upload: a few files, very many, or an invalid form. */
export function multipart(random: Random): Multipart {
  const boundary = pick(random, ['x', '----lectern', 'a'.repeat(70)]);
  const contentType = chance(random, 0.9) ? `multipart/form-data; boundary=${boundary}` : 'multipart/form-data';
  const parts = Array.from({ length: between(random, 0, 4) }, () => part(random, boundary)).join('');
  const end = chance(random, 0.85) ? `--${boundary}--\r\n` : '';
  const odd = pick<() => string>(random, [
    () => manyParts(boundary),
    () => `--${boundary}\r\n${'X-Long: '.padEnd(100_000, 'x')}\r\n\r\nx\r\n`,
    () => `--${boundary}\r\n${'A: b\r\n'.repeat(5_000)}\r\nx\r\n`,
    () => `--${boundary}`.repeat(10_000),
    () => 'no form at all',
  ]);
  return { contentType, text: `${chance(random, 0.1) ? odd() : parts}${end}` };
}
