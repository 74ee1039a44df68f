import { setImmediate } from 'node:timers/promises';
import type { LoadSynonymsResponse } from '@lectern/contracts';
import { createCache } from '@lectern/resilience';
import { countLookup } from '@lectern/service-kit';
import {
  createSynonymIndex,
  type Language,
  type PackRule,
  type SynonymIndex,
  type SynonymLayer,
  type SynonymRule,
  synonymLayer,
  synonymPacks,
  wordKeys,
} from '@lectern/text';

/** A custom synonym. */
interface CustomRule extends SynonymRule {
  /** Absent: of the whole team. */
  readonly collectionId?: string | undefined;
}

/** The synonyms of a team, ready for its queries. */
interface TeamSynonyms {
  /** Returns what applies to a search of these collections. */
  layersFor(collections: ReadonlySet<string>): readonly SynonymLayer[];
}

export interface TeamSynonymsCache {
  /**
   * Returns the synonyms of a team. `load` reads them from the collection service; it is called
   * when the team's version has changed.
   */
  get(team: string, version: string, load: () => Promise<LoadSynonymsResponse>): Promise<TeamSynonyms>;
}

const MAX_TEAMS = 1_000;
/** About 64 MiB in memory: each character of a rule costs about 30 bytes in the index. */
const MAX_CHARACTERS = 2_000_000;
/** What an entry without rules counts. */
const LEAST_CHARACTERS = 1_000;

interface Loaded {
  readonly version: string;
  readonly synonyms: TeamSynonyms;
  readonly characters: number;
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
    sizeOf: ({ characters }) => Math.min(MAX_CHARACTERS, LEAST_CHARACTERS + characters),
  });
  const loading = new Map<string, Promise<TeamSynonyms>>();
  let unchanged: TeamSynonyms | undefined;

  const open = async (team: string, key: string, load: () => Promise<LoadSynonymsResponse>) => {
    try {
      const response = await load();
      const synonyms = compile(response);
      // A change since the version was read counts already.
      loaded.set(team, { version: response.version, synonyms, characters: charactersOf(response) });
      return synonyms;
    } finally {
      loading.delete(key);
    }
  };

  return {
    async get(team, version, load) {
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
    },
  };
}

const charactersOf = ({ synonyms }: LoadSynonymsResponse): number =>
  synonyms.reduce((sum, { input, terms }) => sum + [...input, ...terms].join(' ').length, 0);

function compile({ synonyms, disabledPacks, disabledRuleIds }: LoadSynonymsResponse): TeamSynonyms {
  const index = createSynonymIndex<CustomRule>(synonyms);
  const disabled = new Set(disabledRuleIds.map((id) => id.slice(id.indexOf('_') + 1)));
  const isEnabled = ({ key }: PackRule) => !disabled.has(key);
  const packs = packIndexes().filter(({ name }) => !disabledPacks.includes(name));
  const ofPacks = packs.map((pack) => synonymLayer(pack.index, isEnabled, pack.language));
  return {
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
    await setImmediate();
    index.matchAt(wordKeys('a', language), 0, language, () => true);
  }
}
