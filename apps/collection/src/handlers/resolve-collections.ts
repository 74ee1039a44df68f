import { isId, type ResolveCollectionsRequest } from '@lectern/contracts';
import { type Caller, notFound, requireInScope, type ServiceCall } from '@lectern/service-kit';
import { modelsOf } from '#collections/collection-models';
import { readSearchScope, type SearchableCollection } from '#collections/read-search-scope';
import type { Context } from '#context';
import { principalsOfCaller } from '#groups/principals-of-user';
import { activeSpaces, learnsSpaces } from '#spaces/active-spaces';

/**
 * Returns the collections that a search can use and the spaces to search: the named collections,
 * each checked, or all that the caller can access. For a caller restricted by principals, also
 * returns those principals.
 */
export const resolveCollections =
  (context: Context) => async (request: ResolveCollectionsRequest, call: ServiceCall) => {
    const { caller } = call;
    const named = request.ids.length === 0 ? undefined : request.ids;
    const [scope, values] = await Promise.all([
      readSearchScope(context, caller.teamId, named?.filter((id) => isId('collection', id)) ?? idsInScope(caller)),
      principalsOfCaller(context, caller),
    ]);
    if (named !== undefined) requireNamed(caller, named, scope.collections);
    const collections = scope.collections.flatMap(({ id, name, languages, languagesKnown, ...models }) =>
      modelsOf(models).map((embeddingModel) => {
        return { id, name, embeddingModel, languages: languagesKnown ? { codes: languages } : undefined };
      }),
    );
    const models = [...new Set(collections.map(({ embeddingModel }) => embeddingModel))].filter((model) =>
      learnsSpaces(context, model),
    );
    const spaces = models.map((model) => {
      const ready = scope.spaces.filter(({ embeddingModel }) => embeddingModel === model);
      return { embeddingModel: model, ids: activeSpaces(ready) };
    });
    const principals = values === undefined ? undefined : { values };
    const { synonymsVersion, searchRulesVersion } = scope;
    return { collections, spaces, principals, synonymsVersion, searchRulesVersion };
  };

const idsInScope = ({ scope }: Caller) => (scope.kind === 'all' ? undefined : scope.ids);

function requireNamed(caller: Caller, named: readonly string[], found: readonly SearchableCollection[]): void {
  const known = new Set(found.map(({ id }) => id));
  for (const id of named) if (!known.has(id)) throw notFound('collection', id);
  for (const id of known) requireInScope(caller, id);
}
