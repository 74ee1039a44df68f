/** The names that occur in prose. The complete list would double the size of the file. */
const CHARACTERS: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  shy: '\u00ad',
  ndash: '–',
  mdash: '—',
  hellip: '…',
  bull: '•',
  middot: '·',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  laquo: '«',
  raquo: '»',
  copy: '©',
  reg: '®',
  trade: '™',
  euro: '€',
  pound: '£',
  sect: '§',
  deg: '°',
  times: '×',
  plusmn: '±',
  le: '≤',
  ge: '≥',
  ne: '≠',
  rarr: '→',
  larr: '←',
};

/**
 * Replaces the library of the same name in the bundles. Its version for browsers sets `innerHTML`,
 * which pages with Trusted Types do not allow. An unknown name stays text.
 */
export const decodeNamedCharacterReference = (name: string): string | false =>
  Object.hasOwn(CHARACTERS, name) ? (CHARACTERS[name] ?? false) : false;
