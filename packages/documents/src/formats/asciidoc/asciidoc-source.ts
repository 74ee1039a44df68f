/** The library takes quadratic time for long runs of blanks. */
const maxBlanks = 100;
/** It also takes quadratic time for a paragraph of marks without an end: about 0.1 s for this much. */
const maxBlockChars = 8_000;
/** It reads about 100,000 characters per second. */
const maxSourceChars = 1_000_000;

/** The lines around code and comments, which contain no markup. */
const codeFence = /^(?:-{4,}|\.{4,}|`{3,}|\+{4,}|\/{4,})\s*$/;
const tableFence = /^[|,:!]={3,}\s*$/;
const listMarker = /^\s*(?:\*{1,5}|-|\.{1,5}|\d{1,5}\.|[^\s:][^:]{0,200}:{2,4})\s/;

/** Returns a source without long runs of blanks. */
export const withoutLongBlanks = (source: string): string =>
  source.replace(new RegExp(`[^\\S\\n]{${maxBlanks},}`, 'g'), ' '.repeat(maxBlanks));

/**
 * Returns true if reading a source as AsciiDoc takes too long: it has a very long paragraph, list item or cell,
 * or is very long. Code can be changed to contain markup, and then counts too.
 */
export const isTooLong = (source: string): boolean => {
  if (source.length > maxSourceChars) return true;
  const hasMarkupInCode = /subs\s*=/.test(source);
  let [fence, isTable, isList, length] = ['', false, false, 0];
  for (const line of source.split('\n')) {
    if (fence !== '' && !hasMarkupInCode) {
      if (line.trimEnd() === fence) fence = '';
      continue;
    }
    if (line.trim() === '') {
      length = 0;
      continue;
    }
    if (tableFence.test(line)) isTable = !isTable;
    const isItem = listMarker.test(line);
    const isFence = codeFence.test(line);
    if (isFence) fence = line.trimEnd();
    if (isFence || (isTable && /^[|!]/.test(line)) || (isList && isItem)) length = 0;
    // A marker in the middle of a paragraph begins no list.
    if (length === 0) isList = isItem;
    length += line.length + 1;
    if (length > maxBlockChars) return true;
  }
  return false;
};
