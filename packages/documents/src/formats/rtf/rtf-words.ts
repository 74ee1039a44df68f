/** Groups whose content is not the document's text. */
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

/** Groups marked as ignorable whose text is shown all the same. */
export const shownIgnorable: ReadonlySet<string> = new Set(['shpinst', 'shptxt', 'footnote']);

/** Control words that stand for characters. */
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

/** Control symbols that stand for characters; \- is an optional hyphen and shows nothing. */
export const characterSymbols: Readonly<Record<string, string>> = { '~': ' ', _: '-', '\\': '\\', '{': '{', '}': '}' };
