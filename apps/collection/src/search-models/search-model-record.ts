import { type SearchModel, SearchModelState } from '@lectern/contracts';
import { defaultThreads } from '@lectern/embeddings';
import type { Context } from '#context';
import type { SearchModelDownload, TeamSearchModel } from '#gen/prisma/client';
import { type Choice, choices, DEFAULT_ID, isPresent, obstacleOf } from '#search-models/choices';

const BUILT_IN = {
  title: 'Built in',
  description:
    'Ships with Lectern and needs no download. Learns from your own documents which words belong together. Rarely finds passages that share no word with the question.',
  // .2 ms for each passage.
  passagesPerSecond: 5_000,
};
const CONFIGURED = {
  title: 'Configured by the operator',
  description: 'The embedding model in the settings of this installation.',
  passagesPerSecond: undefined,
};

/** A model of 10.6 million active parameters encodes about 16 passages per second and CPU core. */
const PASSAGES_BY_MILLION_PARAMETERS = 170;

/** What the states of a team's models follow from. */
interface TeamState {
  readonly team: Pick<TeamSearchModel, 'activeId' | 'wantedId' | 'previousId' | 'error'>;
  readonly downloads: ReadonlyMap<string, SearchModelDownload>;
  /** The documents of the collections with the active model. */
  readonly documents: { readonly left: number; readonly total: number };
}

interface Progress {
  readonly state: SearchModelState;
  readonly done?: number;
  readonly total?: number;
  readonly error?: string | undefined;
}

/** Returns all models with their states for a team. */
export async function searchModelRecords(context: Context, teamId: string): Promise<SearchModel[]> {
  const all = choices(context);
  const [team, downloads] = await Promise.all([
    context.db.teamSearchModel.findUnique({ where: { teamId } }),
    context.db.searchModelDownload.findMany(),
  ]);
  const activeId = team?.activeId ?? DEFAULT_ID;
  const active = all.find(({ id }) => id === activeId);
  const state: TeamState = {
    team: team ?? { activeId, wantedId: null, previousId: null, error: null },
    downloads: new Map(downloads.map((download) => [download.id, download])),
    documents: await countDocuments(context, teamId, active?.embeddingModel ?? ''),
  };
  return all.map((choice) => toRecord(context, choice, state));
}

async function countDocuments({ db }: Context, teamId: string, model: string): Promise<TeamState['documents']> {
  const [count] = await db.$queryRaw<TeamState['documents'][]>`
    SELECT count(*) FILTER (WHERE d.indexed_model <> c.embedding_model)::int AS "left", count(*)::int AS "total"
    FROM documents AS d JOIN collections AS c ON c.id = d.collection_id
    WHERE c.team_id = ${teamId} AND c.deleted_at IS NULL AND c.embedding_model = ${model}
      AND d.status <> 'deleted' AND d.indexed_version > 0`;
  return count ?? { left: 0, total: 0 };
}

function toRecord(context: Context, choice: Choice, state: TeamState): SearchModel {
  const { id, embeddingModel, offered } = choice;
  const download = state.downloads.get(id);
  const ownModel = context.denseEncoder().learnsSpaces === true ? BUILT_IN : CONFIGURED;
  const { title, description } = offered ?? ownModel;
  const threads = context.config.MODEL_THREADS ?? defaultThreads();
  const estimate = offered
    ? (PASSAGES_BY_MILLION_PARAMETERS * threads) / offered.activeParameters
    : ownModel.passagesPerSecond;
  const progress = progressOf(context, choice, state);
  return {
    id,
    title,
    description,
    embeddingModel,
    languages: offered?.languages ?? 'any',
    sizeBytes: offered?.sizeBytes ?? 0,
    passagesPerSecond: download?.passagesPerSecond ?? estimate,
    isMeasured: download?.passagesPerSecond != null,
    state: progress.state,
    done: progress.done ?? 0,
    total: progress.total ?? 0,
    error: progress.error,
    isPrevious: id === state.team.previousId,
  };
}

function progressOf(context: Context, choice: Choice, { team, downloads, documents }: TeamState): Progress {
  const { id, offered } = choice;
  const present = isPresent(context, choice);
  const download = downloads.get(id);
  const total = Number(download?.totalBytes ?? 0) || (offered?.sizeBytes ?? 0);
  const downloading = { state: SearchModelState.DOWNLOADING, done: Number(download?.storedBytes ?? 0), total };
  const downloadError = download?.status === 'failed' ? (download.error ?? '') : undefined;
  if (id === team.wantedId) {
    const error = team.error ?? downloadError;
    if (error !== undefined) return { state: SearchModelState.FAILED, error };
    return present ? { state: SearchModelState.MOVING } : downloading;
  }
  if (id === team.activeId && !present) {
    if (download?.status === 'pending') return downloading;
    return { state: SearchModelState.FAILED, error: downloadError ?? 'The files of the model are missing.' };
  }
  if (id === team.activeId) {
    const { left, total: all } = documents;
    return left === 0
      ? { state: SearchModelState.ACTIVE }
      : { state: SearchModelState.MOVING, done: all - left, total: all };
  }
  const obstacle = obstacleOf(context, choice);
  if (obstacle !== undefined) return { state: SearchModelState.UNAVAILABLE, error: obstacle };
  return { state: present ? SearchModelState.READY : SearchModelState.AVAILABLE };
}
