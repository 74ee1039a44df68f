import { describe, expect, it } from '@jest/globals';
import { msg } from '../old-office.ts';
import { parseSample } from '../parse-sample.ts';
import { utf8 } from '../sample-files.ts';

describe('parseMsg', () => {
  it('writes the headers, the text and the attachments', async () => {
    const file = msg({
      texts: {
        '0037001F': 'Leave',
        '0C1A001F': 'Ada Lovelace',
        '0C1F001F': '/O=EXAMPLE/CN=ADA',
        '5D01001F': 'ada@example.com',
        '0E04001F': 'Grace Hopper; Alan Turing',
        '1000001F': 'How many days?\r\n\r\nRegards',
      },
      deliveredAt: new Date('2026-05-06T07:08:09Z'),
      attachments: [
        { name: 'days.csv', type: 'text/csv', content: utf8('Country,Days\nGermany,30\n') },
        { name: 'photo.heic', type: 'image/heic', content: utf8('\0\0\0\x18ftypheic') },
      ],
    });
    const parsed = await parseSample(file, 'a.msg');
    expect(parsed.text).toBe(
      [
        'Subject: Leave\nFrom: Ada Lovelace <ada@example.com>\nTo: Grace Hopper; Alan Turing\nDate: 2026-05-06T07:08:09.000Z',
        'How many days?\n\nRegards',
        '## Attachment: days.csv',
        '| Country | Days |\n| --- | --- |\n| Germany | 30 |',
        'Attachment: photo.heic',
      ].join('\n\n'),
    );
    expect(parsed).toMatchObject({
      title: 'Leave',
      metadata: { author: 'Ada Lovelace <ada@example.com>', attachments: ['days.csv', 'photo.heic'] },
    });
  });

  it('decodes texts of its code page, and reads a body of HTML', async () => {
    const file = msg({
      texts: {
        '0037001E': Buffer.from([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2]),
        '10130102': utf8('<p>Thirty <b>days</b></p>'),
      },
      codePage: 1251,
    });
    const { text, title } = await parseSample(file, 'a.msg');
    expect(title).toBe('Привет');
    expect(text).toBe('Subject: Привет\n\nThirty days');
  });
});
