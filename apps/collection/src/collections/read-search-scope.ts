import type { CollectionModels } from '#collections/collection-models';
import type { Context } from '#context';
import type { Collection, Space } from '#gen/prisma/client';

/** A collection that can be searched. */
export type SearchableCollection = Pick<Collection, 'id' | 'name' | 'languages' | 'languagesKnown'> & CollectionModels;

/** What a search of a team needs to know. */
export interface SearchScope {
  readonly collections: readonly SearchableCollection[];
  /** The ready spaces of all models, newest first. */
  readonly spaces: readonly ReadySpace[];
  /** The version of the team's synonyms; empty if it has never changed one. */
  readonly synonymsVersion: string;
  /** The version of the team's search rules; empty if it has never changed one. */
  readonly searchRulesVersion: string;
}

/** A learned space that is ready and not retired. */
interface ReadySpace extends Pick<Space, 'id' | 'embeddingModel'> {
  /** Whether every passage is in this space. */
  readonly isMoved: boolean;
}

/**
 * Reads the scope of a search with one statement, because every search does. `ids` are the
 * collections, as far as they exist; undefined for all collections of the team.
 */
export async function readSearchScope(
  { db }: Pick<Context, 'db'>,
  teamId: string,
  ids: readonly string[] | undefined,
): Promise<SearchScope> {
  const [scope] = await db.$queryRaw<SearchScope[]>`
    SELECT (SELECT coalesce(jsonb_agg(jsonb_build_object('id', id, 'name', name, 'embeddingModel', embedding_model,
          'previousModels', previous_models, 'languages', languages, 'languagesKnown', languages_known)), '[]')
        FROM collections WHERE team_id = ${teamId} AND deleted_at IS NULL
          AND (${ids === undefined} OR id = ANY(${[...(ids ?? [])]}::text[]))) AS "collections",
      (SELECT coalesce(jsonb_agg(jsonb_build_object('id', id, 'embeddingModel', embedding_model,
          'isMoved', moved_at IS NOT NULL) ORDER BY ready_at DESC, id DESC), '[]')
        FROM spaces WHERE team_id = ${teamId} AND status = 'ready') AS "spaces",
      coalesce((SELECT version FROM synonym_settings WHERE team_id = ${teamId}), '') AS "synonymsVersion",
      coalesce((SELECT version FROM search_rule_versions WHERE team_id = ${teamId}), '') AS "searchRulesVersion"`;
  if (scope === undefined) throw new Error('A statement without a condition returned no row.');
  return scope;
}
