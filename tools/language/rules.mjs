/** British forms of words that a repository about search is likely to contain, without the status `cancelled`. */
const BRITISH = [
  [
    /(?<!\p{L})(author|capital|categor|central|character|critic|custom|emphas|final|formal|general|initial|local|material|maxim|memor|minim|modern|neutral|normal|optim|organ|parallel|penal|priorit|quant|random|recogn|sanit|serial|special|stabil|standard|summar|symbol|synchron|token|unauthor|util|vector|visual)is(e|ed|er|ers|es|ing|ation|ations)(?!\p{L})/u,
    '-ize, -ization',
  ],
  [/(?<!\p{L})(ana|cata|para)lys(e|ed|er|ers|ing)(?!\p{L})/u, 'analyze'],
  [/(?<!\p{L})(behavi|col|endeav|fav|flav|harb|hon|lab|neighb|rum)our/u, '-or'],
  [/(?<!\p{L})(ana|cata)logue/u, 'catalog, analog'],
  [/(?<!\p{L})(cancelling|(?<!aria-)labell(ed|ing)|modell(ed|ing)|signall(ed|ing)|travell(ed|ing))/u, 'one l'],
  [/(?<!\p{L})(centre|metre|litre|fibre)s?(?!\p{L})/u, '-er'],
  [/(?<!\p{L})(defence|licence|offence)s?(?!\p{L})/u, '-se'],
  [
    /(?<!\p{L})(artefact|cheque|fulfil|grey|instalment|judgement|plough|sceptic)s?(?!\p{L})/u,
    'artifact, check, fulfill, gray, installment, judgment, plow, skeptic',
  ],
  [/(?<!\p{L})(burnt|learnt|misspelt|spelt|spoilt)(?!\p{L})/u, '-ed'],
  [/(?<!\p{L})e-mail/u, 'email'],
  [/(?<!\p{L})(amongst|towards|whilst)(?!\p{L})/u, 'among, toward, while'],
];

/**
 * Words that the language guide (CONTRIBUTING.md, "Language") replaces. Each pattern is matched without regard
 * to case, against the line as written and against the line with camelCase and snake_case names split into words.
 *
 * @type {readonly { readonly pattern: RegExp; readonly use: string }[]}
 */
export const RULES = [
  { pattern: /\banew\b/, use: 'again, re-index, regenerate, refetch' },
  { pattern: /\b(there|where|here)(of|upon|by|in|to)\b(?<!whereby|hereto|whereto)/, use: 'of it, in it, by it' },
  { pattern: /\bsuch as\b/, use: 'like, for example' },
  { pattern: /\bof (its|their) own accord\b/, use: 'automatically' },
  { pattern: /\bcarr(y|ies|ied|ying) (it |them |this )?out\b/, use: 'run, execute, dispatch' },
  { pattern: /\bstand-? ?ins?\b/, use: 'stub, fake server, emulator' },
  { pattern: /\bsit(s|ting)? out\b|\bsat out\b/, use: 'wait, retry, back off' },
  { pattern: /\b(im)?patien(ce|t|tly)\b/, use: 'retry, timeout, wait' },
  { pattern: /\bdeaf\b/, use: 'ignores, unsubscribed' },
  { pattern: /\bstrangers?\b/, use: 'other team, unknown caller' },
  { pattern: /\bnobody\b/, use: 'no one, unknown, not found' },
  { pattern: /\b(is|are|was) no \w+ of (this|the|its|a|your)\b/, use: 'not found, unknown, does not exist' },
  { pattern: /\b(tells?|told|telling)\b/, use: 'return, report, show, distinguish' },
  { pattern: /\b(says?|said|saying)\b/, use: 'return, report, print, state' },
  { pattern: /\b(speaks?|spoken|spoke|speaking)\b(?<!-speaking)/, use: 'works with, connects to, supports' },
  { pattern: /\bhear(s|d)?\b/, use: 'receives, subscribes to' },
  { pattern: /\b(tends?|tended|tending)\b(?! to\b)/, use: 'schedule, maintain, sweep, reconcile' },
  { pattern: /\bfigures?\b(?! out\b)/, use: 'metric, counter, number, value' },
  { pattern: /\balarms?\b/, use: 'alert' },
  { pattern: /\b(stands?|stood|standing)\b(?! (for|alone)\b)/, use: 'is, appears, waits, remains' },
  { pattern: /\b(lies|lying|lain)\b/, use: 'is, remains, is stored' },
  { pattern: /\b(mends?|mended|mending)\b/, use: 'fix, repair' },
  { pattern: /\bbeside\b/, use: 'next to, alongside, with' },
  { pattern: /\b(ours|yours|theirs)\b/, use: 'name the thing' },
  { pattern: /\b(go|goes|went|going|gone) on\b/, use: 'continue, resume' },
  { pattern: /\bfor good\b/, use: 'permanently' },
  { pattern: /\btime is (over|up)\b/, use: 'timeout, deadline exceeded' },
  { pattern: /\bas lectern does\b/, use: 'invalid, unexpected' },
  { pattern: /\b(cannot|can not|can't) be read\b/, use: 'is invalid, malformed, unsupported; cannot be opened' },
  { pattern: /\bwhat (it|they) takes?\b|\bwhat (is|was) given\b/, use: 'field, property, parameter, header' },
  { pattern: /\b(hardly|scarcely)\b/, use: 'little, almost no, rarely' },
  { pattern: /\bsome (\d|(ten|twenty|thirty|hundred|thousand)\b)/, use: 'about, a few' },
  { pattern: /\bbr(eak|oke|oken|eaking)s? off\b/, use: 'is interrupted, ends early, closes' },
  {
    pattern: /\bthe most (bytes|characters|columns|documents|files|items|passages|rows|texts|tokens|units|values)\b/,
    use: 'the maximum number of',
  },
  { pattern: /\b(its|their|his|the|whose|within|same|own|caller's|key's|user's) reach\b/, use: 'scope, access' },
  ...BRITISH.map(([pattern, use]) => ({ pattern, use: `${use} (American spelling)` })),
];
