/** Groups that contain no text of the document. */
export const skippedGroups: ReadonlySet<string> = new Set([
  'colortbl',
  'pict',
  'objdata',
  'themedata',
  'colorschememapping',
  'datastore',
  'latentstyles',
  'fldinst',
  'header',
  'headerl',
  'headerr',
  'headerf',
  'footer',
  'footerl',
  'footerr',
  'footerf',
  'annotation',
  'atnid',
  'atnauthor',
  'revtbl',
  'rsidtbl',
  'filetbl',
  'listtable',
  'listoverridetable',
  'generator',
  'xmlnstbl',
  'mmathpr',
  'bkmkstart',
  'bkmkend',
  'nonshppict',
  'sp',
  'tc',
  'xe',
]);

/** Groups that are marked as ignorable but contain text. */
export const shownIgnorable: ReadonlySet<string> = new Set(['shpinst', 'shptxt', 'footnote']);

/** Control words that represent characters. */
export const characterWords: Readonly<Record<string, string>> = {
  tab: '\t',
  line: '\n',
  lbr: '\n',
  emdash: '—',
  endash: '–',
  emspace: ' ',
  enspace: ' ',
  qmspace: ' ',
  bullet: '•',
  lquote: '‘',
  rquote: '’',
  ldblquote: '“',
  rdblquote: '”',
};

/** Control symbols that represent characters; \- is an optional hyphen and is dropped. */
export const characterSymbols: Readonly<Record<string, string>> = { '~': ' ', _: '-', '\\': '\\', '{': '{', '}': '}' };
