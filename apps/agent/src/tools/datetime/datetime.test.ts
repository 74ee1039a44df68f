import { describe, expect, it } from '@jest/globals';
import { describeTime } from '#tools/datetime/describe-time';
import { findTimeZone } from '#tools/datetime/find-time-zone';

describe('a time zone', () => {
  it.each([
    ['Asia/Tokyo', 'Asia/Tokyo'],
    ['asia/tokyo', 'Asia/Tokyo'],
    ['Tokyo', 'Asia/Tokyo'],
    ['Tokyo, Japan', 'Asia/Tokyo'],
    ['new york', 'America/New_York'],
    ['São Paulo', 'America/Sao_Paulo'],
    ['Munich', 'Europe/Berlin'],
    ['UTC', 'UTC'],
    ['UTC+2', '+02:00'],
    ['+05:30', '+05:30'],
    ['-0330', '-03:30'],
  ])('finds %s: %s', (name, zone) => {
    expect(findTimeZone(name)).toBe(zone);
  });

  it.each(['', 'Atlantis', 'Etc', '+99:00', '../etc/passwd', 'constructor'])('does not find "%s"', (name) => {
    expect(findTimeZone(name)).toBeUndefined();
  });
});

describe('a moment', () => {
  it('applies the daylight saving time of the date', () => {
    expect(describeTime(new Date('2026-07-01T12:00:00Z'), 'Europe/Berlin')).toMatchObject({
      iso: '2026-07-01T14:00:00+02:00',
      text: 'Wednesday, 1 July 2026, 14:00:00',
    });
    expect(describeTime(new Date('2026-12-31T23:30:00Z'), 'Europe/Berlin')).toMatchObject({
      iso: '2027-01-01T00:30:00+01:00',
      text: 'Friday, 1 January 2027, 00:30:00',
      week: 53,
    });
  });

  it('supports zones with odd offsets and west of Greenwich', () => {
    const noon = new Date('2026-11-21T12:00:00Z');
    expect(describeTime(noon, 'Asia/Kathmandu').iso).toBe('2026-11-21T17:45:00+05:45');
    expect(describeTime(noon, 'America/St_Johns').iso).toBe('2026-11-21T08:30:00-03:30');
    expect(describeTime(noon, 'UTC').iso).toBe('2026-11-21T12:00:00+00:00');
  });
});
