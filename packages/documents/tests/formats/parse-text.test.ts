import { describe, expect, it } from '@jest/globals';
import { parseSample } from '../parse-sample.ts';

const utf16 = (text: string, mark: boolean): Uint8Array => Buffer.from((mark ? '\ufeff' : '') + text, 'utf16le');
const bigEndian = (bytes: Uint8Array): Uint8Array => Buffer.from(bytes).swap16();

describe('plain text', () => {
  it('is decoded with the right charset', async () => {
    const text = 'Grüße aus Zürich — naïve café';
    const files = [utf16(text, true), utf16(text, false), bigEndian(utf16(text, true)), Buffer.from(`\ufeff${text}`)];
    for (const bytes of files) expect((await parseSample(bytes, 'a.txt')).text).toBe(text);
    const western = Uint8Array.from('Voil\xe0 une phrase fran\xe7aise tr\xe8s enti\xe8re, d\xe9j\xe0 lue.', (c) =>
      c.charCodeAt(0),
    );
    expect((await parseSample(western, 'a.txt')).text).toBe('Voilà une phrase française très entière, déjà lue.');
  });

  it('keeps its lines, without characters that cannot be stored', async () => {
    const { text } = await parseSample('one\r\ntwo\rthree\u0001\u00ad\n\n  \nfour\u00a0five', 'a.txt');
    expect(text).toBe('one\ntwo\nthree\n\n  \nfour five');
    expect(text.isWellFormed()).toBe(true);
  });

  it('is fenced when it is code', async () => {
    const { text } = await parseSample('# a comment\nprint("```")\n', 'a.py');
    expect(text).toBe('```python\n# a comment\nprint("```")\n```');
  });

  it('is rejected if it is empty', async () => {
    await expect(parseSample('', 'a.txt')).rejects.toMatchObject({ code: 'no_text', message: 'This file is empty.' });
    await expect(parseSample(' \n ', 'a.txt')).rejects.toMatchObject({ code: 'no_text' });
  });
});
