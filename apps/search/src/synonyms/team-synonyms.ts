import type { LoadSynonymsResponse } from '@lectern/contracts';
import { createCache, runInSlices } from '@lectern/resilience';
import { countLookup } from '@lectern/service-kit';
import {
  createSynonymIndex,
  inputsOf,
  type Language,
  MAX_COMPILED,
  type PackRule,
  type SynonymIndex,
  type SynonymLayer,
  type SynonymRule,
  synonymLayer,
  synonymPacks,
} from '@lectern/text';

/** A custom synonym. */
interface CustomRule extends SynonymRule {
  /** Absent: of the whole team. */
  readonly collectionId?: string | undefined;
}

/** The synonyms of a team, ready for its queries. */
interface TeamSynonyms {
  /** Characters of the rules, and what their entries in the index count, in one language. */
  readonly size: number;
  /** The number of languages in which the rules are compiled. */
  readonly compiled: number;
  /** Compiles the rules in these languages, in slices. */
  prepare(languages: readonly Language[]): Promise<void>;
  /** Returns what applies to a search of these collections. */
  layersFor(collections: ReadonlySet<string>): readonly SynonymLayer[];
}

export interface TeamSynonymsCache {
  /**
   * Returns the synonyms of a team, ready for queries in these languages. `load` reads them from the
   * collection service; it is called when the team's version has changed.
   */
  get(
    team: string,
    version: string,
    languages: readonly Language[],
    load: () => Promise<LoadSynonymsResponse>,
  ): Promise<TeamSynonyms>;
}

const MAX_TEAMS = 1_000;
/** About 64 MiB in memory: each character of a rule costs about 30 bytes in the index. */
const MAX_CHARACTERS = 2_000_000;
/** What an entry without rules counts. */
const LEAST_CHARACTERS = 1_000;
/** What each term that a query can contain counts besides its characters. */
const TERM_CHARACTERS = 10;

interface Loaded {
  readonly version: string;
  readonly synonyms: TeamSynonyms;
  /** The number of compiled languages. */
  readonly languages: number;
}

/** The version of a team that has never changed a synonym. */
const UNCHANGED = '';

/**
 * Creates a cache of compiled synonyms. A version never changes, so an entry with the requested
 * version is always current.
 */
export function createTeamSynonymsCache(): TeamSynonymsCache {
  const loaded = createCache<string, Loaded>({
    maxEntries: MAX_TEAMS,
    maxBytes: MAX_CHARACTERS,
    sizeOf: ({ synonyms, languages }) => Math.min(MAX_CHARACTERS, LEAST_CHARACTERS + synonyms.size * languages),
  });
  const loading = new Map<string, Promise<TeamSynonyms>>();
  let unchanged: TeamSynonyms | undefined;

  const open = async (team: string, key: string, load: () => Promise<LoadSynonymsResponse>) => {
    try {
      const response = await load();
      const synonyms = compile(response);
      // A change since the version was read counts already.
      loaded.set(team, { version: response.version, synonyms, languages: 1 });
      return synonyms;
    } finally {
      loading.delete(key);
    }
  };

  const find = async (team: string, version: string, load: () => Promise<LoadSynonymsResponse>) => {
    if (version === UNCHANGED) {
      unchanged ??= compile({ version, synonyms: [], disabledPacks: [], disabledRuleIds: [] });
      return unchanged;
    }
    const key = `${team} ${version}`;
    const cached = loaded.get(team);
    const known = cached?.version === version ? cached.synonyms : loading.get(key);
    countLookup('synonyms', known !== undefined);
    if (known !== undefined) return known;
    const opened = open(team, key, load);
    loading.set(key, opened);
    return opened;
  };

  /** Counts the languages that were compiled since the synonyms were loaded. */
  const countAgain = (team: string, synonyms: TeamSynonyms) => {
    const entry = loaded.peek(team);
    const { compiled } = synonyms;
    if (entry?.synonyms === synonyms && compiled > entry.languages) loaded.set(team, { ...entry, languages: compiled });
  };

  return {
    async get(team, version, languages, load) {
      const synonyms = await find(team, version, load);
      await synonyms.prepare(languages);
      countAgain(team, synonyms);
      return synonyms;
    },
  };
}

const sizeOfRule = ({ input, terms }: CustomRule): number =>
  [...input, ...terms].join(' ').length + inputsOf({ input, terms }).length * TERM_CHARACTERS;

function compile({ synonyms, disabledPacks, disabledRuleIds }: LoadSynonymsResponse): TeamSynonyms {
  const index = createSynonymIndex<CustomRule>(synonyms);
  const languages = new Set<Language>();
  const preparing = new Map<Language, Promise<void>>();
  const prepare = async (language: Language): Promise<void> => {
    try {
      await runInSlices(index.prepare(language));
      languages.add(language);
    } finally {
      preparing.delete(language);
    }
  };
  const disabled = new Set(disabledRuleIds.map((id) => id.slice(id.indexOf('_') + 1)));
  const isEnabled = ({ key }: PackRule) => !disabled.has(key);
  const packs = packIndexes().filter(({ name }) => !disabledPacks.includes(name));
  const ofPacks = packs.map((pack) => synonymLayer(pack.index, isEnabled, pack.language));
  return {
    size: synonyms.reduce((sum, rule) => sum + sizeOfRule(rule), 0),
    get compiled() {
      return Math.min(MAX_COMPILED, languages.size);
    },
    async prepare(wanted) {
      if (synonyms.length === 0) return;
      for (const language of wanted) {
        const running = preparing.get(language) ?? prepare(language);
        preparing.set(language, running);
        await running;
      }
    },
    layersFor: (collections) => {
      const applies = ({ collectionId }: CustomRule) => collectionId === undefined || collections.has(collectionId);
      return [synonymLayer(index, applies), ...ofPacks];
    },
  };
}

interface PackIndex {
  readonly name: string;
  readonly language: Language;
  readonly index: SynonymIndex<PackRule>;
}

let indexes: readonly PackIndex[] | undefined;

/** Returns the indexes of the packs, which all teams share. */
function packIndexes(): readonly PackIndex[] {
  indexes ??= synonymPacks().map(({ name, language, rules }) => ({ name, language, index: createSynonymIndex(rules) }));
  return indexes;
}

/**
 * Builds the indexes of the packs, about a quarter of a second each, so that the first search does
 * not wait for them.
 */
export async function preparePacks(): Promise<void> {
  for (const { language, index } of packIndexes()) {
    await runInSlices(index.prepare(language));
  }
}
