import type { UseSearchModelRequest } from '@lectern/contracts';
import { AppError, requireFullScope, type ServiceCall } from '@lectern/service-kit';
import type { Context } from '#context';
import { choiceOf, DEFAULT_ID, isPresent, obstacleOf } from '#search-models/choices';
import { searchModelRecords } from '#search-models/search-model-record';

/** Starts to use a model for the caller's team. A background round does the work. */
export const useSearchModel = (context: Context) => async (request: UseSearchModelRequest, call: ServiceCall) => {
  const { db } = context;
  const { teamId } = call.caller;
  requireFullScope(call.caller, 'change the search model');
  const choice = choiceOf(context, request.id);
  const { id } = choice;
  const obstacle = obstacleOf(context, choice);
  if (obstacle !== undefined) throw new AppError('conflict', obstacle);
  await db.$transaction(async (tx) => {
    if (!isPresent(context, choice)) {
      const pending = { status: 'pending', error: null };
      await tx.searchModelDownload.upsert({ where: { id }, create: { id }, update: pending });
    }
    const { activeId } = (await tx.teamSearchModel.findUnique({ where: { teamId } })) ?? { activeId: DEFAULT_ID };
    const wanted = { wantedId: id === activeId ? null : id, error: null };
    await tx.teamSearchModel.upsert({ where: { teamId }, create: { teamId, ...wanted }, update: wanted });
  });
  const record = (await searchModelRecords(context, teamId)).find((model) => model.id === id);
  if (record === undefined) throw new Error('A chosen model has no record.');
  return record;
};
