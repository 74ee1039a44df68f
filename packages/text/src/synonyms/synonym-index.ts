import { createCache, type Pausable, runToEnd } from '@lectern/resilience';
import type { Language } from '#analysis/languages';
import { inputsOf, type SynonymRule } from '#synonyms/synonym-rule';
import { type ComparedWord, isForm, type WordKey, wordKeys } from '#synonyms/word-keys';

/** A term of a rule that a query can contain. */
interface Entry<Rule extends SynonymRule> {
  readonly rule: Rule;
  readonly from: string;
  readonly words: readonly ComparedWord[];
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
   * Compiles the rules in a language. A pause follows each term. Without it, the first `matchAt` in
   * the language does this at once.
   */
  prepare(language: Language): Pausable<void>;
  /**
   * Returns the longest match that begins at a word, with the replacements of the first rules that
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
  readonly entries: ReadonlyMap<string, readonly Entry<Rule>[]>;
  /** The number of words of the longest term by its first word. */
  readonly longest: ReadonlyMap<string, number>;
}

const SEPARATOR = '\n';

/** Compiled languages that are kept: those of a query (at most 5) and of others at the same time. */
export const MAX_COMPILED = 8;

/** The maximum number of rules that apply to a word, the first ones of the index. */
const MAX_APPLICABLE = 20;

/** The maximum number of terms that a word is compared with. Terms of more words come first. */
const MAX_COMPARED = 200;

/** Creates the index of rules. The languages of the latest queries stay compiled. */
export function createSynonymIndex<Rule extends SynonymRule>(rules: readonly Rule[]): SynonymIndex<Rule> {
  const compiled = createCache<Language, Compiled<Rule>>({ maxEntries: MAX_COMPILED });
  const inLanguage = function* (language: Language): Pausable<Compiled<Rule>> {
    let found = compiled.get(language);
    if (found === undefined) {
      found = yield* compile(rules, language);
      compiled.set(language, found);
    }
    return found;
  };
  return {
    *prepare(language) {
      yield* inLanguage(language);
    },
    matchAt(words, at, language, applies) {
      if (rules.length === 0) return undefined;
      const { entries, longest } = runToEnd(inLanguage(language));
      const first = words[at];
      if (first === undefined) return undefined;
      let left = MAX_COMPARED;
      for (let length = Math.min(longest.get(first.key) ?? 0, words.length - at); length >= 1; length--) {
        const found = words.slice(at, at + length);
        const known = (entries.get(length === 1 ? singleKey(first) : joined(found)) ?? []).slice(0, left);
        left -= known.length;
        const applicable = known.filter((entry) => areForms(entry.words, found) && applies(entry.rule));
        if (applicable.length > 0) {
          return { length, replacements: applicable.slice(0, MAX_APPLICABLE).flatMap(replacementsOf) };
        }
      }
      return undefined;
    },
  };
}

const replacementsOf = ({ rule, from }: Entry<SynonymRule>): readonly string[] =>
  rule.terms.filter((term) => term !== from);

const joined = (words: readonly WordKey[]): string => words.map(({ key }) => key).join(SEPARATOR);

const areForms = (rule: readonly ComparedWord[], query: readonly WordKey[]): boolean =>
  rule.every((word, at) => query[at] !== undefined && isForm(word, query[at]));

/** `IT` alone is not `it`. In a term of several words, case makes no difference. */
const singleKey = ({ key, capitals }: WordKey): string => capitals ?? key;

function* compile<Rule extends SynonymRule>(rules: readonly Rule[], language: Language): Pausable<Compiled<Rule>> {
  const entries = new Map<string, Entry<Rule>[]>();
  const longest = new Map<string, number>();
  for (const rule of rules) {
    for (const from of inputsOf(rule)) {
      yield;
      const words = wordKeys(from, language);
      const [first] = words;
      if (first === undefined) continue;
      longest.set(first.key, Math.max(longest.get(first.key) ?? 0, words.length));
      const key = words.length === 1 ? singleKey(first) : joined(words);
      // There can be many: only what is compared stays in memory.
      const entry = { rule, from, words: words.map(({ word, isAbbreviation }) => ({ word, isAbbreviation })) };
      const known = entries.get(key);
      if (known === undefined) entries.set(key, [entry]);
      else known.push(entry);
    }
  }
  return { entries, longest };
}
