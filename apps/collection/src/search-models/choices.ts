import { isDownloaded, isRuntimeInstalled, type OfferedModel } from '@lectern/embeddings';
import { notFound } from '@lectern/service-kit';
import type { Context } from '#context';

/** The id of the installation's own embedding model. */
export const DEFAULT_ID = 'default';

/** A model that a team can choose. */
export interface Choice {
  readonly id: string;
  /** The embedding model of its collections. */
  readonly embeddingModel: string;
  /** Undefined for the default model, which is always there. */
  readonly offered: OfferedModel | undefined;
}

type Deps = Pick<Context, 'config' | 'denseEncoder' | 'offeredModels'>;

/** Returns the models that teams can choose: the installation's own, then the smallest first. */
export function choices(context: Deps): readonly Choice[] {
  return [
    { id: DEFAULT_ID, embeddingModel: context.denseEncoder().model, offered: undefined },
    ...context.offeredModels.map((offered) => ({ id: offered.id, embeddingModel: `onnx/${offered.name}`, offered })),
  ];
}

/** Throws `not_found` for an unknown id. */
export function choiceOf(context: Deps, id: string): Choice {
  const choice = choices(context).find((other) => other.id === id);
  if (choice === undefined) throw notFound('search_model', id);
  return choice;
}

/** Returns whether a model can be used without a download. */
export function isPresent({ config }: Deps, { offered }: Choice): boolean {
  return offered === undefined || isDownloaded(config.MODELS_DIR, offered.name);
}

/** Returns why a model cannot run on this installation; undefined if it can. */
export function obstacleOf({ config }: Deps, { offered }: Choice): string | undefined {
  if (offered === undefined) return undefined;
  if (config.MODELS_DIR === undefined) {
    return 'This installation has no folder for models. Set MODELS_DIR for the services search, collection and agent.';
  }
  if (isRuntimeInstalled(config.MODELS_DIR)) return undefined;
  return 'The packages that run models are not installed. Run "npm run models -- install" on the server.';
}

/**
 * Returns the embedding model of a team's new collections. A model whose files are gone is not
 * used.
 */
export async function teamModel(context: Context, teamId: string): Promise<string | undefined> {
  const row = await context.db.teamSearchModel.findUnique({ where: { teamId } });
  const choice = choices(context).find(({ id }) => id === row?.activeId);
  return choice !== undefined && isPresent(context, choice) ? choice.embeddingModel : undefined;
}
