import { dimensionsOf } from '@lectern/embeddings';
import { toAppError } from '@lectern/service-kit';
import { changeTeamModel } from '#collections/change-model';
import type { Context } from '#context';
import type { TeamSearchModel } from '#gen/prisma/client';
import { type Choice, choiceOf, DEFAULT_ID, isPresent } from '#search-models/choices';

/** Texts of about 200 words, for a measurement that takes a second with a small model. */
const SAMPLE = Array.from({ length: 8 }, (_, at) =>
  `Section ${at}: employees request leave in the portal, and their manager approves it within a week. `.repeat(12),
);

type Wanting = Pick<TeamSearchModel, 'teamId' | 'activeId' | 'wantedId'>;

/**
 * Creates a round that makes wanted models that are downloaded the models of their teams. The
 * collections with the team's earlier model change; their documents move in the background
 * (`createModelMover`). A problem of one team does not affect the others.
 */
export function createWantedRound(context: Context): (signal: AbortSignal) => Promise<void> {
  return async (signal) => {
    const { db, log } = context;
    await rememberDefault(context);
    const teams = await db.teamSearchModel.findMany({ where: { wantedId: { not: null }, error: null } });
    for (const team of teams) {
      signal.throwIfAborted();
      try {
        await applyWanted(context, team, signal);
      } catch (err) {
        signal.throwIfAborted();
        // The next round tries again.
        log.warn({ err, teamId: team.teamId }, 'could not change the embedding model of a team');
      }
    }
  };
}

async function applyWanted(context: Context, team: Wanting, signal: AbortSignal): Promise<void> {
  const { db, log } = context;
  const { teamId, activeId, wantedId } = team;
  let wanted: Choice;
  try {
    wanted = choiceOf(context, wantedId ?? DEFAULT_ID);
    if (!isPresent(context, wanted)) return;
    await tryModel(context, wanted, signal);
  } catch (err) {
    signal.throwIfAborted();
    log.warn({ err, teamId, model: wantedId }, 'a chosen embedding model could not be started');
    await db.teamSearchModel.updateMany({ where: { teamId, wantedId }, data: { error: toAppError(err).message } });
    return;
  }
  const earlier = await earlierModels(context, activeId);
  await db.$transaction(async (tx) => {
    const { count } = await tx.teamSearchModel.updateMany({
      where: { teamId, activeId, wantedId },
      data: { activeId: wanted.id, previousId: activeId, wantedId: null },
    });
    if (count > 0) await changeTeamModel(tx, teamId, earlier, wanted.embeddingModel);
  });
  log.info({ teamId, model: wanted.embeddingModel }, 'a team uses another embedding model');
}

/** Returns the models of a team's collections: for the default, also those that were the default before. */
async function earlierModels(context: Context, activeId: string): Promise<string[]> {
  const { embeddingModel } = choiceOf(context, activeId);
  if (activeId !== DEFAULT_ID) return [embeddingModel];
  const defaults = await context.db.defaultModel.findMany();
  return [...new Set([embeddingModel, ...defaults.map(({ name }) => name)])];
}

/** Records the installation's own model, because its collections keep it when the setting changes. */
async function rememberDefault({ db, denseEncoder }: Context): Promise<void> {
  const { model: name } = denseEncoder();
  await db.defaultModel.createMany({ data: [{ name }], skipDuplicates: true });
}

/** Encodes a few texts once per model, to see that it works and how fast it is. */
async function tryModel({ db, denseEncoder }: Context, choice: Choice, signal: AbortSignal): Promise<void> {
  const { id, embeddingModel, offered } = choice;
  if (offered === undefined) return;
  const known = await db.searchModelDownload.findUnique({ where: { id } });
  if (known?.passagesPerSecond != null) return;
  const encoder = denseEncoder(embeddingModel);
  // Loads the model before the measurement.
  await dimensionsOf(encoder, { signal });
  const start = performance.now();
  await encoder.embedDocuments(SAMPLE, { signal });
  const measured = { status: 'done', passagesPerSecond: (SAMPLE.length * 1_000) / (performance.now() - start) };
  await db.searchModelDownload.upsert({ where: { id }, create: { id, ...measured }, update: measured });
}
