import { type LoadSearchRulesResponse, type SearchRule, SearchRuleMatch } from '@lectern/contracts';
import { createCache } from '@lectern/resilience';
import { countLookup } from '@lectern/service-kit';
import { isForm, type Language, type WordKey, wordKeys } from '@lectern/text';

/** The search rules of a team, ready for its queries. */
export interface TeamRules {
  /** Returns the rules for a query, newest first. `collections` are those that it searches. */
  matching(text: string, languages: readonly Language[], collections: ReadonlySet<string>): readonly SearchRule[];
}

export interface TeamRulesCache {
  /**
   * Returns the rules of a team. `load` reads them from the collection service; it is called when the
   * team's version has changed.
   */
  get(team: string, version: string, load: () => Promise<LoadSearchRulesResponse>): Promise<TeamRules>;
}

const MAX_TEAMS = 1_000;
/** The words of a query that are compared with rules. A rule has at most 20 words. */
const MAX_WORDS = 64;

/** The version of a team that has never changed a rule. */
const UNCHANGED = '';
const NONE: TeamRules = { matching: () => [] };

interface Loaded {
  readonly version: string;
  readonly rules: TeamRules;
}

/**
 * Creates a cache of rules. A version never changes, so an entry with the requested version is always
 * current.
 */
export function createTeamRulesCache(): TeamRulesCache {
  const loaded = createCache<string, Loaded>({ maxEntries: MAX_TEAMS });
  const loading = new Map<string, Promise<TeamRules>>();

  const open = async (team: string, key: string, load: () => Promise<LoadSearchRulesResponse>) => {
    try {
      const { version, rules } = await load();
      const opened = createTeamRules(rules);
      // A change since the version was read counts already.
      loaded.set(team, { version, rules: opened });
      return opened;
    } finally {
      loading.delete(key);
    }
  };

  return {
    async get(team, version, load) {
      if (version === UNCHANGED) return NONE;
      const key = `${team} ${version}`;
      const cached = loaded.get(team);
      const known = cached?.version === version ? cached.rules : loading.get(key);
      countLookup('search_rules', known !== undefined);
      if (known !== undefined) return known;
      const opened = open(team, key, load);
      loading.set(key, opened);
      return opened;
    },
  };
}

/** A rule with its words in one language. */
interface Compiled {
  readonly rule: SearchRule;
  readonly words: readonly WordKey[];
}

/** Prepares rules, in the order of `rules`. */
export function createTeamRules(rules: readonly SearchRule[]): TeamRules {
  const compiled = new Map<Language, ReadonlyMap<string, readonly Compiled[]>>();
  const inLanguage = (language: Language) => {
    const known = compiled.get(language);
    if (known !== undefined) return known;
    const words = rules.map((rule) => ({ rule, words: wordKeys(rule.query, language) }));
    const byFirstWord = Map.groupBy(
      words.filter((one) => one.words.length > 0),
      (one) => one.words[0]?.key ?? '',
    );
    compiled.set(language, byFirstWord);
    return byFirstWord;
  };
  return {
    matching(text, languages, collections) {
      if (rules.length === 0) return [];
      const found = new Set<SearchRule>();
      for (const language of languages) {
        const query = wordKeys(text, language, MAX_WORDS);
        const byFirstWord = inLanguage(language);
        for (const [at, { key }] of query.entries()) {
          for (const candidate of byFirstWord.get(key) ?? [])
            if (applies(candidate, query, at)) found.add(candidate.rule);
        }
      }
      const isSearched = ({ collectionId }: SearchRule) => collectionId === undefined || collections.has(collectionId);
      return rules.filter((rule) => found.has(rule) && isSearched(rule));
    },
  };
}

/** Returns whether the words of a rule begin at a word of the query. */
function applies({ rule, words }: Compiled, query: readonly WordKey[], at: number): boolean {
  if (rule.match !== SearchRuleMatch.CONTAINS && (at > 0 || query.length !== words.length)) return false;
  // `IT` alone is not `it`. In a rule of several words, case makes no difference.
  const keyOf = ({ key, capitals }: WordKey) => (words.length === 1 ? (capitals ?? key) : key);
  return words.every((word, index) => {
    const other = query[at + index];
    return other !== undefined && keyOf(other) === keyOf(word) && isForm(word, other);
  });
}
