/** The form of answer that a question expects. */
export type AnswerType =
  | 'money'
  | 'percent'
  | 'count'
  | 'duration'
  | 'frequency'
  | 'date'
  | 'person'
  | 'place'
  | 'reason'
  | 'definition'
  | 'any';

export interface ExpectedAnswer {
  readonly type: AnswerType;
  /** The counted noun ("weeks" in "how many weeks"). */
  readonly noun?: string;
}

const QUANTITIES: ReadonlySet<AnswerType> = new Set<AnswerType>(['money', 'percent', 'count', 'duration', 'frequency']);

/** Returns whether a question asks for a quantity. */
export const wantsQuantity = ({ type }: ExpectedAnswer): boolean => QUANTITIES.has(type);

/** The first match wins. English and German. A capture is the counted noun. */
const CUES: readonly (readonly [RegExp, AnswerType])[] = [
  [/\b(?:what|which) (?:percentage|percent|share|fraction|proportion)\b|\bwie ?viel prozent\b/iu, 'percent'],
  [
    /\bhow much (?:money|does|do|did|is|are|will|would|can|could|may|was|were)\b.*\b(?:cost|pay|paid|spend|expense|charge|charged|earn|budget|stipend|salary|price|fee|worth|reimbursed?)\b/iu,
    'money',
  ],
  [/\b(?:cost|price|salary|salaries|fee|stipend|budget|wage)s?\b.*\?|\bwas kostet\b|\bwie teuer\b/iu, 'money'],
  [/\bhow (?:long|old)\b|\bwhat (?:is the )?(?:duration|length|waiting period)\b|\bwie (?:lange|alt)\b/iu, 'duration'],
  [/\bhow (?:often|frequently|regularly|many times)\b|\bwie (?:oft|häufig|viele male)\b/iu, 'frequency'],
  [/\bhow (?:many|much) (?:more |of (?:the |a )?)?([\p{L}-]+)|\bwie ?viele?r? ([\p{L}-]+)/iu, 'count'],
  [
    /\bhow (?:far|high|tall|big|large|wide|deep|heavy|fast|many|much)\b|\bwie (?:hoch|groß|weit|tief|schwer|schnell|viele?)\b/iu,
    'count',
  ],
  [
    /\b(?:what|which) (?:is the |are the |was the )?(?:maximum|minimum|max|min|limit|number|amount|size|rate|cap|population)\b/iu,
    'count',
  ],
  [
    /\bwhen\b|\b(?:what|which) (?:year|date|day|month|time|century|decade)\b|\bwann\b|\bin welche[mrs]? (?:jahr|monat|jahrhundert)\b|\ban welchem tag\b/iu,
    'date',
  ],
  [/\bwho(?:se|m)?\b|\bwhich (?:person|people|team|department)\b|\b(?:wer|wen|wem|wessen)\b/iu, 'person'],
  [
    /\bwhere\b|\b(?:what|which) (?:city|country|state|place|town|location)\b|\b(?:wo|wohin|woher)\b|\bin welche[mr] (?:stadt|land)\b/iu,
    'place',
  ],
  [/\bwhy\b|\bwhat (?:is the reason|causes?|caused)\b|\bhow come\b|\b(?:warum|wieso|weshalb)\b/iu, 'reason'],
  [/^\s*(?:and |so )?(?:what(?:'s|’s| is| are| does)|define|was (?:ist|sind|bedeutet))\b/iu, 'definition'],
];

/** Returns the form of answer that a question expects. */
export function expectedAnswer(question: string): ExpectedAnswer {
  for (const [cue, type] of CUES) {
    const match = cue.exec(question);
    if (!match) continue;
    const noun = match[1] ?? match[2];
    return noun === undefined ? { type } : { type, noun };
  }
  return { type: 'any' };
}
