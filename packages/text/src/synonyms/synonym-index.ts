import type { Language } from '#analysis/languages';
import type { SynonymRule } from '#synonyms/synonym-rule';
import { isForm, type WordKey, wordKeys } from '#synonyms/word-keys';

/** A term that a word of a query can be replaced by, and the rule it comes from. */
interface Replacement<Rule extends SynonymRule> {
  readonly to: string;
  readonly rule: Rule;
  /** The words that it replaces. */
  readonly from: readonly WordKey[];
}

/** Words of a query that rules apply to. */
export interface SynonymMatch {
  /** The number of words. */
  readonly length: number;
  readonly replacements: readonly string[];
}

/** Rules that can be looked up by their words. */
export interface SynonymIndex<Rule extends SynonymRule> {
  /**
   * Returns the longest match that begins at a word, with the replacements of the rules that
   * `applies` accepts. `words` are the `wordKeys` of a text in `language`.
   */
  matchAt(
    words: readonly WordKey[],
    at: number,
    language: Language,
    applies: (rule: Rule) => boolean,
  ): SynonymMatch | undefined;
}

/** The rules in the form of one language. */
interface Compiled<Rule extends SynonymRule> {
  readonly replacements: ReadonlyMap<string, readonly Replacement<Rule>[]>;
  /** The number of words of the longest term by its first word. */
  readonly longest: ReadonlyMap<string, number>;
}

const SEPARATOR = '\n';

/** Creates the index of rules. Each language in which queries arrive is compiled once. */
export function createSynonymIndex<Rule extends SynonymRule>(rules: readonly Rule[]): SynonymIndex<Rule> {
  const compiled = new Map<Language, Compiled<Rule>>();
  const inLanguage = (language: Language): Compiled<Rule> => {
    let found = compiled.get(language);
    if (found === undefined) {
      found = compile(rules, language);
      compiled.set(language, found);
    }
    return found;
  };
  return {
    matchAt(words, at, language, applies) {
      if (rules.length === 0) return undefined;
      const { replacements, longest } = inLanguage(language);
      const first = words[at];
      if (first === undefined) return undefined;
      for (let length = Math.min(longest.get(first.key) ?? 0, words.length - at); length >= 1; length--) {
        const found = words.slice(at, at + length);
        const known = replacements.get(length === 1 ? singleKey(first) : joined(found)) ?? [];
        const applicable = known.filter(({ rule, from }) => areForms(from, found) && applies(rule));
        if (applicable.length > 0) return { length, replacements: applicable.map(({ to }) => to) };
      }
      return undefined;
    },
  };
}

const joined = (words: readonly WordKey[]): string => words.map(({ key }) => key).join(SEPARATOR);

const areForms = (rule: readonly WordKey[], query: readonly WordKey[]): boolean =>
  rule.every((word, at) => query[at] !== undefined && isForm(word, query[at]));

/** `IT` alone is not `it`. In a term of several words, case makes no difference. */
const singleKey = ({ key, capitals }: WordKey): string => capitals ?? key;

function compile<Rule extends SynonymRule>(rules: readonly Rule[], language: Language): Compiled<Rule> {
  const replacements = new Map<string, Replacement<Rule>[]>();
  const longest = new Map<string, number>();
  for (const rule of rules) {
    for (const from of rule.input.length > 0 ? rule.input : rule.terms) {
      const words = wordKeys(from, language);
      const [first] = words;
      if (first === undefined) continue;
      longest.set(first.key, Math.max(longest.get(first.key) ?? 0, words.length));
      const key = words.length === 1 ? singleKey(first) : joined(words);
      const known = replacements.get(key) ?? [];
      replacements.set(key, known);
      for (const to of rule.terms) if (to !== from) known.push({ to, rule, from: words });
    }
  }
  return { replacements, longest };
}
