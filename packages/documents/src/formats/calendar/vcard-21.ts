import { decodeText } from '#text/decode-text';

const isEncoding = (parameter: string): boolean =>
  /^(?:ENCODING=)?(?:QUOTED-PRINTABLE|BASE64|B|8BIT|7BIT)$/i.test(parameter);

/** Decodes `=C3=BC`. Commas and line breaks get the escapes of later versions. */
function decodeQuoted(value: string, charset: string | undefined): string {
  const bytes = Buffer.from(
    Buffer.from(value, 'utf8')
      .toString('latin1')
      .replace(/=([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
    'latin1',
  );
  return decodeText(bytes, charset).text.replaceAll(',', '\\,').replace(/\r?\n/g, '\\n');
}

/**
 * Rewrites vCard 2.1, which Outlook and older phones write, in the form of version 3. Pictures are
 * left out. https://en.wikipedia.org/wiki/VCard#vCard_2.1
 */
export function rewriteVcard21(text: string): string {
  if (!/^VERSION:2\.1\s*$/im.test(text)) return text;
  const lines = text.split(/\r?\n/);
  const written: string[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const colon = line.indexOf(':');
    if (/^[ \t]/.test(line) || colon < 0) {
      written.push(line);
      continue;
    }
    const [name = '', ...parameters] = line.slice(0, colon).split(';');
    let value = line.slice(colon + 1);
    if (parameters.some((parameter) => isEncoding(parameter) && /BASE64|=B$/i.test(parameter))) {
      while (at + 1 < lines.length && /^[ \t]|^$/.test(lines[at + 1] ?? '')) at += 1;
      continue;
    }
    if (parameters.some((parameter) => /QUOTED-PRINTABLE$/i.test(parameter))) {
      const pieces = [value];
      while (pieces.at(-1)?.endsWith('=') === true && at + 1 < lines.length) {
        pieces.push(pieces.pop()?.slice(0, -1) ?? '');
        at += 1;
        pieces.push(lines[at] ?? '');
      }
      const charset = parameters.map((parameter) => /^CHARSET=(.+)$/i.exec(parameter)?.[1]).find(Boolean);
      value = decodeQuoted(pieces.join(''), charset);
    }
    const kept = parameters
      .filter((parameter) => !isEncoding(parameter) && !/^CHARSET=/i.test(parameter))
      .map((parameter) => (parameter.includes('=') ? parameter : `TYPE=${parameter}`));
    written.push(`${[name, ...kept].join(';')}:${name.toUpperCase() === 'VERSION' ? '3.0' : value}`);
  }
  return written.join('\r\n');
}
