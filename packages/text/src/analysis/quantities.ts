import { NUMBER, readNumber, withoutCents } from '#analysis/numbers';

/** Currency signs and the ISO 4217 codes they stand for in most texts. */
const SIGNS: Readonly<Record<string, string>> = {
  $: 'usd',
  '€': 'eur',
  '£': 'gbp',
  '¥': 'jpy',
  '₹': 'inr',
  '₩': 'krw',
  '₽': 'rub',
  '₺': 'try',
  '₪': 'ils',
  '₫': 'vnd',
  '₴': 'uah',
  '฿': 'thb',
};

const CURRENCIES =
  'usd eur gbp chf jpy cny inr krw cad aud nzd sek nok dkk isk pln czk huf ron bgn rub uah try ils zar brl mxn sgd hkd thb vnd'.split(
    ' ',
  );

/** Units of two letters or more, and with a slash. Words that are also units (`in`, `ha`) are left out. */
const SYMBOLS = [
  'kb mb gb tb pb kib mib gib tib kbit mbit gbit kbps mbps gbps bps',
  'hz khz mhz ghz',
  'mm cm km nm µm mi² m² km² m³ cm³ km/h m/s mph rpm ft yd',
  'mg µg kg lb lbs oz ml cl dl',
  'ms µs ns min mins sec secs hr hrs am pm',
  'kw mw gw kwh mwh gwh wh ma mah kv hp',
  'kj kcal kpa mpa hpa psi',
  'dpi ppi fps px rem',
].flatMap((kind) => kind.split(' '));

/**
 * Units of one letter are read only as they are always written. Not seconds: `1980s` is a decade.
 */
const LETTERS = 'm g l h V W'.split(' ');

/** Other ways to write a unit. */
const ALIASES: Readonly<Record<string, string>> = {
  ...SIGNS,
  '%': '%',
  percent: '%',
  'per cent': '%',
  pct: '%',
  prozent: '%',
  dollar: 'usd',
  dollars: 'usd',
  euro: 'eur',
  euros: 'eur',
  kilobyte: 'kb',
  kilobytes: 'kb',
  megabyte: 'mb',
  megabytes: 'mb',
  gigabyte: 'gb',
  gigabytes: 'gb',
  terabyte: 'tb',
  terabytes: 'tb',
  mins: 'min',
  secs: 'sec',
  hrs: 'hr',
  lbs: 'lb',
};

const GAP = String.raw`[ \u00A0\u2009\u202F]?`;
const escaped = (text: string) => text.replace(/[$/]/g, String.raw`\$&`);
/** Longer alternatives first, so that `km/h` is not read as `km`. */
const anyOf = (names: readonly string[]) =>
  names
    .toSorted((a, b) => b.length - a.length)
    .map(escaped)
    .join('|');

/** Matches letters in both cases: the token pattern is case-sensitive. */
const anyCase = (source: string) =>
  source.replace(/[a-zµ]/g, (letter) => `[${letter}${letter === 'µ' ? 'μ' : letter.toUpperCase()}]`);

const SIGN = `[${Object.keys(SIGNS).join('')}]`;
const CODE = anyOf(CURRENCIES.map((code) => code.toUpperCase()));
const UNIT = `${anyCase(anyOf([...SYMBOLS, ...CURRENCIES, ...Object.keys(ALIASES).filter((name) => /[a-z]/.test(name))]))}|°[CFK]|[${LETTERS.join('')}]`;
const NOT_LONGER = String.raw`(?![\p{L}\p{M}\p{N}²³]|['’._@\-‑/&][\p{L}\p{N}])`;

/** A number with a unit or a currency before or after it: `5 GB`, `$1,000`, `1.000 €`, `20%`. */
export const QUANTITY = `(?:US\\$|${SIGN}|${CODE})${GAP}${NUMBER}${NOT_LONGER}|${NUMBER}(?:${GAP}(?:(?:${UNIT})${NOT_LONGER}|%|${SIGN}(?!${GAP}[0-9]))|${SIGN})`;

const PARTS = new RegExp(`^(\\D*?)${GAP}(${NUMBER})${GAP}(\\D*)$`, 'u');
const STARTS_LIKE_ONE = /^[^\p{L}]|^US\$|^[A-Z]{3}[^\p{L}]/u;

/** A quantity as index terms. */
export interface Quantity {
  /** The number with its unit, in each way to read it: `1000usd`. */
  readonly whole: readonly string[];
  readonly numbers: readonly string[];
  /** The unit as written, if it has letters. */
  readonly unit: string | undefined;
  /** Whether a query for the quantity also looks for the number alone. */
  readonly isNumberSearched: boolean;
}

/** Reads a token of the form `QUANTITY`; undefined for other tokens. */
export function readQuantity(token: string): Quantity | undefined {
  if (!STARTS_LIKE_ONE.test(token)) return undefined;
  const [, before = '', number = '', after = ''] = PARTS.exec(token) ?? [];
  const written = before || after;
  if (written === '') return undefined;
  const unit = unitOf(written);
  if (unit === undefined) return undefined;
  const isMoney = CURRENCIES.includes(unit);
  const numbers = readNumber(number).map((reading) => (isMoney ? withoutCents(reading) : reading));
  if (numbers.length === 0) return undefined;
  const hasLetters = /\p{L}/u.test(written) && !written.includes('$');
  return {
    whole: numbers.map((reading) => reading + unit),
    numbers,
    unit: hasLetters ? written : undefined,
    isNumberSearched: isMoney || LETTERS.includes(written),
  };
}

function unitOf(written: string): string | undefined {
  if (written === 'US$') return 'usd';
  if (LETTERS.includes(written) || written.startsWith('°')) return written.toLowerCase();
  const name = written.toLowerCase().replace('μ', 'µ');
  return ALIASES[name] ?? (SYMBOLS.includes(name) || CURRENCIES.includes(name) ? name : undefined);
}
