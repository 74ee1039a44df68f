import { between, type Random } from '#corpus/random';

/** Picks one of the items. */
export function pick<T>(random: Random, items: readonly [T, ...T[]]): T {
  return items[Math.floor(random() * items.length)] ?? items[0];
}

export const chance = (random: Random, probability: number): boolean => random() < probability;

const WORDS = [
  'leave',
  'policy',
  'the',
  'of',
  'parental',
  'ERR-1234',
  'v1.2.3',
  'getUserById',
  'ada@example.com',
  '10.0.0.1/24',
  'naïve',
  'Straße',
  '产假和陪产假',
  'การลาคลอด',
  '휴가정책',
  'إجازة',
  '👩‍👩‍👧‍👦',
] as const;

/** Pieces whose repetition is a worst case for some processing step. */
const UNITS = [
  'a',
  'a ',
  'ab ',
  '"',
  '"a" ',
  ' -a',
  '-"a" ',
  '(',
  '.',
  'a.',
  'a-',
  '-',
  '_',
  'aA',
  '1.',
  '1,',
  '@',
  'a@',
  '/',
  '\\',
  '\n',
  '\t \u00a0',
  '…” ',
  'e\u0301',
  'a\u0300\u0301\u0302',
  '\u0345',
  'ﷺ',
  '\u1e9b\u0323',
  '가',
  '각',
  '产',
  'ก',
  'ا',
  '👩‍👩‍👧‍👦',
  '\u200d',
  '\u202e',
  'İ',
  'ﬃ',
  '$',
  '{"a":',
  "'",
  '--',
  '%00',
  'qwertyuiop ',
  'internationalization',
] as const;

/** Generates a text of at most `max` UTF-16 code units: words, or a repeated piece. */
export function textValue(random: Random, max = 2_000): string {
  const kind = between(random, 0, 9);
  if (kind <= 3)
    return Array.from({ length: between(random, 1, 8) }, () => pick(random, WORDS))
      .join(' ')
      .slice(0, max);
  if (kind === 4) return '';
  if (kind === 5)
    return String.fromCodePoint(...Array.from({ length: 20 }, () => between(random, 1, 0xd7ff))).slice(0, max);
  if (kind === 6) return 'x'.repeat(max + 1);
  const unit = kind === 7 ? pick(random, UNITS) + pick(random, UNITS) : pick(random, UNITS);
  const length = chance(random, 0.7) ? max : between(random, 1, max);
  return unit
    .repeat(Math.ceil(length / unit.length))
    .slice(0, length)
    .toWellFormed();
}

/** Generates distinct words, which cannot be cached. */
export function distinctWords(random: Random, max = 2_000): string {
  const letters = between(random, 1, 12);
  let text = '';
  while (text.length < max - letters - 1) {
    text += `${Array.from({ length: letters }, () => String.fromCharCode(between(random, 97, 122))).join('')} `;
  }
  return text.trim() || 'a';
}

/** Generates a value of any type, usually invalid for a field. */
export function oddValue(random: Random): unknown {
  return pick<() => unknown>(random, [
    () => null,
    () => true,
    () => 0,
    () => -1,
    () => 1.5,
    () => 2 ** 31,
    () => 2 ** 53,
    () => 1e308,
    () => -1e-308,
    () => [],
    () => ({}),
    () => [null],
    () => [[[]]],
    () => ({ $ne: null }),
    () => '\0',
    () => '\ud800',
    () => textValue(random, 5_000),
    () => 'x'.repeat(between(random, 1, 100_000)),
    () => Array.from({ length: between(random, 1, 3_000) }, (_, at) => at),
    () => Object.fromEntries(Array.from({ length: between(random, 1, 1_500) }, (_, at) => [`k${at}`, at])),
    () => nested(random, between(random, 5, 60)),
  ])();
}

/** Generates nested objects and lists. */
export function nested(random: Random, depth: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level += 1) value = chance(random, 0.5) ? [value] : { a: value };
  return value;
}
