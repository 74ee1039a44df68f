import { headAndTail } from '@lectern/text';

/** The two things that a question compares, as it names them. */
export type ComparisonSides = readonly [string, string];

const TRAILER = /[?.!]+\s*$/;
/** English and German; the two captures are the sides. */
const PATTERNS: readonly RegExp[] = [
  /\bbetween (?:the )?(.+?) and (?:the )?(.+)$/iu,
  /\bcompar(?:e|ing|ison of) (?:the )?(.+?) (?:and|with|to|against|versus|vs\.?) (?:the )?(.+)$/iu,
  /\bhow (?:do|does|is|are) (?:the )?(.+?) (?:differ(?:ent)?|compare) (?:from|to|with) (?:the )?(.+)$/iu,
  /\bhow (?:do|does|is|are) (?:the )?(.+?) and (?:the )?(.+?) (?:differ(?:ent)?|compare)\b/iu,
  /\bzwischen (?:der |dem |den )?(.+?) und (?:der |dem |den )?(.+)$/iu,
  /\bvergleich\p{L}* (?:von )?(.+?) (?:und|mit) (.+)$/iu,
  /^(?:what is |what's )?(?:the )?(.+?)\s+(?:vs\.?|versus)\s+(?:the )?(.+)$/iu,
  /(?:better|longer|larger|cheaper|faster|more|higher)[,:]? (?:the )?(.+?) or (?:the )?(.+)$/iu,
  /\bis (?:the )?(.+?) (?:\p{L}+er|(?:more|less) \p{L}+|better|worse) than (?:the )?(.+)$/iu,
];

/** Returns the sides of a comparison, or undefined if the question names none. */
export function comparisonSides(question: string): ComparisonSides | undefined {
  const text = headAndTail(question.trim()).replace(TRAILER, '');
  for (const pattern of PATTERNS) {
    const [, left, right] = pattern.exec(text) ?? [];
    if (left && right) return [withSharedHead(left.trim(), right.trim()), right.trim()];
  }
  return undefined;
}

/**
 * Completes the left side: "primary and secondary leave" compares "primary leave" and "secondary
 * leave".
 */
function withSharedHead(left: string, right: string): string {
  const leftWords = left.split(/\s+/);
  const rightWords = right.split(/\s+/);
  if (leftWords.length >= rightWords.length || leftWords.length > 2 || rightWords.length > 4) return left;
  return [...leftWords, ...rightWords.slice(leftWords.length)].join(' ');
}
