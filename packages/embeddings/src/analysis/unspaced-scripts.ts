/** Scripts whose words no space parts (and Hangul, whose words carry their particles): a dictionary-free index takes character bigrams. */
const SCRIPTS = ['Han', 'Hiragana', 'Katakana', 'Hangul', 'Thai', 'Lao', 'Khmer', 'Myanmar'];
const CLASS = `${SCRIPTS.map((script) => String.raw`\p{Script_Extensions=${script}}`).join('')}`;

const ANY_UNSPACED = new RegExp(`[${CLASS}]`, 'u');
const RUNS = new RegExp(`[${CLASS}]+|[^${CLASS}]+`, 'gu');

/** Below this code point no unspaced script begins: most tokens are answered by one look at each character. */
const FIRST_UNSPACED = 0x0e00;

/** Whether any character of `text` belongs to a script that is indexed by character bigrams. */
export function hasUnspacedScript(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    if (text.charCodeAt(at) >= FIRST_UNSPACED) return ANY_UNSPACED.test(text);
  }
  return false;
}

/** Cuts `text` where it changes between unspaced scripts and others: `第3四半期report` → `第`, `3`, `四半期`, `report`. */
export function splitByScript(text: string): string[] {
  return text.match(RUNS) ?? [];
}

/** Overlapping pairs of characters; a run of one character is a term by itself. */
export function characterBigrams(run: string): string[] {
  const characters = Array.from(run);
  if (characters.length < 2) return [run];
  return characters.slice(1).map((character, at) => `${characters[at]}${character}`);
}
