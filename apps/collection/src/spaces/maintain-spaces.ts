import { createPace } from '@lectern/resilience';
import { ANALYSIS_VERSION } from '@lectern/text';
import type { Context } from '#context';
import type { Space } from '#gen/prisma/client';
import { type Corpus, learnsSpaces, readySpaces } from '#spaces/active-spaces';
import { type CorpusSize, isDue, type LastTraining } from '#spaces/is-due';
import { hasPassagesOutside, moveToSpace } from '#spaces/move-to-space';
import { withLease } from '#spaces/space-lease';
import { beginSpace, trainSpace } from '#spaces/train-space';

interface SizedCorpus extends Corpus, CorpusSize {}

interface Round {
  /** The size of the corpus in the round before. */
  readonly previous: CorpusSize | undefined;
  /** Of the moves of all corpora. */
  readonly pace: ReturnType<typeof createPace>;
}

/**
 * Creates a round over all corpora whose model learns spaces: it trains a space if there is none or
 * the corpus has changed since, and moves passages to the newest one. It handles one corpus at a
 * time, so that a process never runs two trainings. A failed corpus does not block the others, and
 * a long move continues in the next rounds.
 */
export function createSpaceMaintainer(context: Context): (signal: AbortSignal) => Promise<void> {
  const pace = createPace({ perSecond: context.config.SPACE_MOVE_PER_SECOND });
  let sizesBefore: ReadonlyMap<string, CorpusSize> = new Map();
  return async (signal) => {
    const corpora = await learningCorpora(context);
    const before = sizesBefore;
    sizesBefore = new Map(corpora.map((corpus) => [keyOf(corpus), corpus]));
    for (const corpus of corpora) {
      if (signal.aborted) return;
      try {
        await maintainCorpus(context, corpus, { previous: before.get(keyOf(corpus)), pace }, signal);
      } catch (err) {
        if (!signal.aborted)
          context.log.warn({ err, ...corpus }, 'could not train or fill an embedding space; will retry');
      }
    }
  };
}

const keyOf = ({ teamId, embeddingModel }: Corpus): string => JSON.stringify([teamId, embeddingModel]);

/** Counts as added what was indexed since the newest space of its corpus began to be learned. */
async function learningCorpora(context: Context): Promise<SizedCorpus[]> {
  const corpora = await context.db.$queryRaw<SizedCorpus[]>`
    SELECT c.team_id AS "teamId", c.embedding_model AS "embeddingModel",
      SUM(d.chunk_count)::int AS "passages",
      COALESCE(SUM(d.chunk_count) FILTER (WHERE s.began_at IS NULL OR d.indexed_at > s.began_at), 0)::int AS "added",
      COALESCE(SUM(d.chunk_count) FILTER (WHERE d.indexed_analysis < ${ANALYSIS_VERSION}), 0)::int AS "outdated"
    FROM collections c
    JOIN documents d ON d.collection_id = c.id
    LEFT JOIN (
      SELECT team_id, embedding_model, MAX(created_at) AS began_at FROM spaces WHERE status = 'ready'
      GROUP BY team_id, embedding_model
    ) s ON s.team_id = c.team_id AND s.embedding_model = c.embedding_model
    WHERE c.deleted_at IS NULL AND d.status = 'indexed'
    GROUP BY c.team_id, c.embedding_model`;
  return corpora.filter(({ embeddingModel }) => learnsSpaces(context, embeddingModel));
}

async function maintainCorpus(
  context: Context,
  { passages, added, outdated, ...corpus }: SizedCorpus,
  { previous, pace }: Round,
  signal: AbortSignal,
): Promise<void> {
  const { db, config } = context;
  const [newest] = await readySpaces(context, corpus);
  // Not while passages are still moving: a search would have to use more than two spaces.
  const canTrain = newest === undefined || newest.movedAt !== null;
  const state = {
    size: { passages, added, outdated },
    previous,
    last: newest && lastTraining(newest),
    minimum: config.SPACE_MIN_PASSAGES,
    growth: config.SPACE_GROWTH,
    now: Date.now(),
  };
  const training =
    (await db.space.findFirst({ where: { ...corpus, status: 'training' } })) ??
    (canTrain && isDue(state) ? await beginSpace(context, corpus, state.size) : undefined);
  if (training) {
    await withLease(context, training.id, signal, (leased) => trainSpace(context, training, leased));
    return;
  }
  const settledAt = (newest?.readyAt?.getTime() ?? 0) + config.SPACE_SETTLE_MS;
  if (newest === undefined || Date.now() < settledAt) return;
  // Checked after the move too: passages encoded just before the new space was ready may have been
  // stored just after the move.
  if (newest.movedAt !== null && !(await hasPassagesOutside(context, newest, signal))) return;
  await withLease(context, newest.id, signal, (leased) => moveToSpace(context, newest, pace, leased));
}

function lastTraining({ passages, createdAt, readyAt, analysis }: Space): LastTraining {
  const isOutdated = analysis < ANALYSIS_VERSION;
  return { passages, beganAt: createdAt.getTime(), readyAt: (readyAt ?? createdAt).getTime(), isOutdated };
}
