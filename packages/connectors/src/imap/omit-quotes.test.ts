import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { TextPart } from '#imap/body-parts';
import { omitQuote } from '#imap/omit-quotes';

type Encoding = '8bit' | 'base64' | 'quoted-printable';

const part = (encoding: Encoding, charset = 'utf-8'): TextPart => ({
  ...{ part: '1', type: 'text/plain', charset, encoding, isFlowed: false, sizeBytes: 1 },
});

/** Quoted-printable with short lines. */
const quotedPrintable = (text: string) =>
  text
    .split('\r\n')
    .map((line) =>
      [...Buffer.from(line)]
        .map((byte) =>
          byte > 32 && byte < 127 && byte !== 61
            ? String.fromCharCode(byte)
            : `=${byte.toString(16).toUpperCase().padStart(2, '0')}`,
        )
        .join('')
        .replace(/(?:=..|[^=]){8}(?=.)/g, '$&=\r\n'),
    )
    .join('\r\n');

const encode = (encoding: Encoding, text: string): Buffer => {
  if (encoding === 'quoted-printable') return Buffer.from(quotedPrintable(text));
  return encoding === 'base64' ? Buffer.from(Buffer.from(text).toString('base64')) : Buffer.from(text);
};

const decode = (encoding: Encoding, bytes: Buffer): string => {
  if (encoding === '8bit') return bytes.toString();
  if (encoding === 'base64') return Buffer.from(bytes.toString(), 'base64').toString();
  const text = bytes.toString('latin1').replace(/=\r\n/g, '');
  const raw = text.replace(/=([0-9A-F]{2})/g, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(raw, 'latin1').toString();
};

describe('omitQuote', () => {
  it.each([
    ['Yes.\r\n\r\nAda wrote:\r\n> Is it open?\r\n>> Ada\r\n\r\n', 'Yes.\r\n\r\nAda wrote:\r\n'],
    ['Yes.\n> Open?', 'Yes.\r\n'],
    ['Yes.\n\n-----Original Message-----\nFrom: Ada\nOpen?', 'Yes.\n\n-----Original Message-----\nFrom: Ada\nOpen?'],
    ['> Open?\nYes.\n> Until when?\nNine.', '> Open?\nYes.\n> Until when?\nNine.'],
    ['> only a quote', '> only a quote'],
    ['Costs:\n\na > b\n', 'Costs:\n\na > b\n'],
  ])('%j', (text, expected) => {
    expect(omitQuote(part('8bit'), Buffer.from(text)).toString()).toBe(expected);
  });

  it('removes only quoted lines from the end, in every encoding', () => {
    const line = fc.constantFrom('', 'text', '> quote', 'Grüße =3E', '>> ä=\u{1f600}', ' ', '> ', 'a '.repeat(9), '=');
    const encoding = fc.constantFrom<Encoding>('8bit', 'base64', 'quoted-printable');
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), encoding, (lines, name) => {
        const text = lines.join('\r\n');
        const own = decode(name, omitQuote(part(name), encode(name, text)));
        expect(text.startsWith(own.replace(/\r\n$/, ''))).toBe(true);
        const removed = text.slice(own.length).split('\r\n');
        expect(removed.every((each) => each.trim() === '' || each.startsWith('>'))).toBe(true);
        const last = own.trimEnd().split('\r\n').at(-1) ?? '';
        // Encoded spaces count as text.
        if (own !== text && name !== 'quoted-printable') expect(last.trim() === '' || last.startsWith('>')).toBe(false);
      }),
    );
  });

  it('leaves texts whose charset is not based on ASCII', () => {
    const bytes = Buffer.from('Yes.\n> Open?', 'utf16le');
    expect(omitQuote(part('8bit', 'utf-16'), bytes)).toBe(bytes);
  });
});
