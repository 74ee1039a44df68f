import { describe, expect, it } from '@jest/globals';
import { parseSample } from '../parse-sample.ts';
import { docx, wordParagraph } from '../sample-files.ts';

const message = (attachment: Uint8Array): string => `From: =?utf-8?q?Ada_L=C3=B6we?= <ada@example.com>
To: team@example.com
Subject: Plans
Date: Mon, 06 May 2024 09:08:07 +0200
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=b

--b
Content-Type: text/html; charset=utf-8

<h2>Hello</h2><p>See the <a href="https://track.example.com/1">plan</a>.</p>
--b
Content-Type: application/octet-stream; name="plan.docx"
Content-Disposition: attachment; filename="plan.docx"
Content-Transfer-Encoding: base64

${Buffer.from(attachment).toString('base64')}
--b
Content-Type: image/png; name="logo.png"
Content-Disposition: attachment; filename="logo.png"
Content-Transfer-Encoding: base64

iVBORw0KGgo=
--b--
`;

describe('parseEml', () => {
  it('keeps what a reply quotes, whatever its headers ask for', async () => {
    const reply = 'From: a@x\nSubject: Re: Plans\nX-Lectern-Quotes: omit\n\nYes.\n\nAda wrote:\n> Are there plans?\n';
    expect((await parseSample(reply, 'a.eml')).text).toContain('Are there plans?');
  });

  it('returns headers, text and supported attachments, and the names of the others', async () => {
    const { text, title, metadata } = await parseSample(message(docx(wordParagraph('The plan.'))), 'a.eml');
    expect(text).toBe(
      'Subject: Plans\nFrom: Ada Löwe <ada@example.com>\nTo: team@example.com\nDate: 2024-05-06T07:08:07.000Z\n\n## Hello\n\nSee the plan.\n\n## Attachment: plan.docx\n\nThe plan.\n\nAttachment: logo.png',
    );
    expect(title).toBe('Plans');
    expect(metadata).toMatchObject({
      author: 'Ada Löwe <ada@example.com>',
      createdAt: '2024-05-06T07:08:07.000Z',
      attachments: ['plan.docx', 'logo.png'],
    });
  });

  it('is chosen by the headers, regardless of the file name', async () => {
    const { metadata } = await parseSample('From: a@b.c\nTo: d@e.f\nSubject: Hi\n\nHello', 'message');
    expect(metadata.mimeType).toBe('message/rfc822');
  });

  it('reads a saved web page without its styles, scripts and pictures', async () => {
    const part = (type: string, content: string) =>
      `--B\r\nContent-Type: ${type}\r\nContent-Location: https://example.com/${type}\r\n\r\n${content}\r\n`;
    const parts = [
      part('text/html; charset=utf-8', '<h1>Tea</h1><p>Boil water.</p>'),
      ...[part('text/css', 'p { color: red }'), part('application/javascript', 'alert(1)'), part('image/png', 'x')],
    ];
    const head =
      'Subject: Saved\r\nMIME-Version: 1.0\r\nContent-Type: multipart/related; type="text/html"; boundary=B\r\n';
    const { text } = await parseSample(`${head}\r\n${parts.join('')}--B--\r\n`, 'page.mht');
    expect(text).toBe('Subject: Saved\n\n# Tea\n\nBoil water.');
  });
});
