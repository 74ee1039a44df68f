import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ParseError } from '#index';
import { parseSample } from '../parse-sample.ts';

const lines = (...all: readonly string[]) => `${all.join('\r\n')}\r\n`;

describe('parseCalendar', () => {
  it('writes a section for each event', async () => {
    const calendar = lines(
      ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'X-WR-CALNAME:Team', 'BEGIN:VEVENT', 'UID:1', 'DTSTAMP:20260101T000000Z'],
      ...['SUMMARY:Summer party\\, with music', 'DTSTART;TZID=Europe/Berlin:20260701T180000'],
      ...['LOCATION:Garden', 'ORGANIZER;CN=Ada Lovelace:mailto:ada@example.com', 'RRULE:FREQ=YEARLY'],
      ...['DESCRIPTION:Bring a friend.\\nFood is', '  there.', 'END:VEVENT', 'BEGIN:VTODO', 'SUMMARY:Order food'],
      ...['DUE;VALUE=DATE:20260630', 'END:VTODO', 'END:VCALENDAR'],
    );
    const { text, title, metadata } = await parseSample(calendar, 'team.ics');
    expect({ title, mimeType: metadata.mimeType }).toEqual({ title: 'Team', mimeType: 'text/calendar' });
    expect(text).toBe(
      [
        '## Summer party, with music',
        '- Start: 2026-07-01T18:00:00 (Europe/Berlin)\n- Repeats: FREQ=YEARLY\n- Location: Garden\n- Organizer: Ada Lovelace <ada@example.com>',
        'Bring a friend.\nFood is there.',
        '## Order food',
        '- Due: 2026-06-30',
      ].join('\n\n'),
    );
  });

  it('writes a section for each contact, without its picture', async () => {
    const contact = (name: string) => [
      ...['BEGIN:VCARD', 'VERSION:4.0', `FN:${name}`, `N:${name};;;;`, 'ORG:Example;Research', 'TITLE:Engineer'],
      ...[
        'EMAIL;TYPE=work:ada@example.com',
        'TEL;VALUE=uri:tel:+49-30-1',
        'ADR;TYPE=work:;;Main St. 1;Berlin;;10115;Germany',
      ],
      ...['PHOTO:data:image/png;base64,iVBORw0KGgo', 'NOTE:Knows everything.', 'END:VCARD'],
    ];
    const { text } = await parseSample(lines(...contact('Ada'), ...contact('Bob')), 'all.vcf');
    const details =
      '- Title: Engineer\n- Organization: Example, Research\n- Email: ada@example.com\n- Phone: +49-30-1\n- Address: Main St. 1, Berlin, 10115, Germany\n\nKnows everything.';
    expect(text).toBe(`## Ada\n\n${details}\n\n## Bob\n\n${details}`);
  });

  it('reads contacts of version 2.1, which Outlook writes', async () => {
    const contact = lines(
      ...['BEGIN:VCARD', 'VERSION:2.1', 'N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:M=C3=BCller;J=C3=BCrgen'],
      ...[
        'TEL;WORK;VOICE:+49 30 1',
        'EMAIL;PREF;INTERNET:j@example.com',
        'PHOTO;JPEG;ENCODING=BASE64:',
        ' /9j/4AAQ',
        '',
      ],
      ...['NOTE;ENCODING=QUOTED-PRINTABLE:Understands German, =', 'and French.=0D=0AWorks late.', 'END:VCARD'],
    );
    const { text, title } = await parseSample(contact, 'a.vcf');
    expect(title).toBe('Jürgen Müller');
    expect(text).toBe(
      '## Jürgen Müller\n\n- Email: j@example.com\n- Phone: +49 30 1\n\nUnderstands German, and French.\nWorks late.',
    );
  });

  it('names contacts without a formatted name', async () => {
    const titleOf = async (...properties: readonly string[]) =>
      (await parseSample(lines('BEGIN:VCARD', 'VERSION:3.0', ...properties, 'TEL:+1', 'END:VCARD'), 'a.vcf')).title;
    expect(await titleOf('N:Doe;Jane;;Dr.;')).toBe('Dr. Jane Doe');
    expect(await titleOf('N:;;;;', 'ORG:Example')).toBe('Example');
    expect(await titleOf('EMAIL:jane@example.com')).toBe('jane@example.com');
  });

  it('keeps an event with a malformed date', async () => {
    const event = ['BEGIN:VEVENT', 'SUMMARY:Party', 'DTSTART:soon', 'DTEND:20260101', 'END:VEVENT'];
    const { text } = await parseSample(lines('BEGIN:VCALENDAR', ...event, 'END:VCALENDAR'), 'a.ics');
    expect(text).toContain('## Party');
    expect(text).toContain('- Start: soon');
  });

  it('reads any other text', async () => {
    const line = fc.oneof(
      fc.string(),
      fc.constantFrom(
        'BEGIN:VEVENT',
        'END:VEVENT',
        'BEGIN:VCARD',
        'END:VCARD',
        'SUMMARY:Hi',
        'DTSTART:2026',
        'DTSTART:soon',
        'VERSION:2.1',
        'N;ENCODING=QUOTED-PRINTABLE:=C3=',
        'RRULE:X',
        ' x',
      ),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(line), async (all) => {
        const parsed = await parseSample(lines(...all), 'a.ics').catch((error: unknown) => error);
        if (parsed instanceof ParseError) expect(parsed.code).toBe('no_text');
        else expect(parsed).not.toBeInstanceOf(Error);
      }),
    );
  });
});
