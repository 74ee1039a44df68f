import { isId, type ResolveCollectionsRequest } from '@lectern/contracts';
import { type Caller, notFound, requireInScope, type ServiceCall } from '@lectern/service-kit';
import { COLLECTION_MODELS, modelsOf } from '#collections/collection-models';
import { collectionsInScope } from '#collections/find-collection';
import type { Context } from '#context';
import { principalsOfCaller } from '#groups/principals-of-user';
import { activeSpaces, learnsSpaces } from '#spaces/active-spaces';
import { settingsOf } from '#synonyms/synonym-settings';

const FIELDS = { id: true, name: true, languages: true, languagesKnown: true, ...COLLECTION_MODELS } as const;

/**
 * Returns the collections that a search can use and the spaces to search: the named collections,
 * each checked, or all that the caller can access. For a caller restricted by principals, also
 * returns those principals.
 */
export const resolveCollections =
  (context: Context) => async (request: ResolveCollectionsRequest, call: ServiceCall) => {
    const { caller } = call;
    const rows =
      request.ids.length === 0
        ? await context.db.collection.findMany({ where: collectionsInScope(caller), select: FIELDS })
        : await namedCollections(context, caller, request.ids);
    const collections = rows.flatMap(({ id, name, languages, languagesKnown, ...models }) =>
      modelsOf(models).map((embeddingModel) => {
        return { id, name, embeddingModel, languages: languagesKnown ? { codes: languages } : undefined };
      }),
    );
    const models = [...new Set(collections.map(({ embeddingModel }) => embeddingModel))].filter((model) =>
      learnsSpaces(context, model),
    );
    const spaces = models.map(async (embeddingModel) => ({
      embeddingModel,
      ids: await activeSpaces(context, { teamId: caller.teamId, embeddingModel }),
    }));
    const values = await principalsOfCaller(context, caller);
    const principals = values === undefined ? undefined : { values };
    const { version: synonymsVersion } = await settingsOf(context.db, caller.teamId);
    return { collections, spaces: await Promise.all(spaces), principals, synonymsVersion };
  };

async function namedCollections({ db }: Context, caller: Caller, named: readonly string[]) {
  const ids = named.filter((id) => isId('collection', id));
  const collections = await db.collection.findMany({
    where: { id: { in: ids }, teamId: caller.teamId, deletedAt: null },
    select: FIELDS,
  });
  const known = new Set(collections.map(({ id }) => id));
  for (const id of named) if (!known.has(id)) throw notFound('collection', id);
  for (const id of known) requireInScope(caller, id);
  return collections;
}
