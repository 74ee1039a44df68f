import type { UpdateMemoryRequest } from '@lectern/contracts';
import { invalidRequest, requireRevision, type ServiceCall } from '@lectern/service-kit';
import { readAgentToChange } from '#agents/access';
import type { Context } from '#context';
import type { Prisma } from '#gen/prisma/client';
import { checkMemory } from '#memories/check-memory';
import { indexSoon } from '#memories/index-memories';
import { kindName } from '#memories/memory-kind';
import { memoryRevision, toMemory } from '#memories/to-memory';
import { lockMemory, readMemory } from '#memories/visible';

/** Updates the given fields. */
export const updateMemory = (context: Context) => async (request: UpdateMemoryRequest, call: ServiceCall) => {
  const { db } = context;
  const { agentId, id, content, metadata, conversationId, importance, expiresAt, clearExpiresAt, proposed } = request;
  checkMemory(request);
  if (proposed === true) {
    throw invalidRequest([{ path: 'proposed', message: 'can only be set to false, which confirms the memory' }]);
  }
  await readAgentToChange(context, call, agentId);
  const found = await readMemory(db, call.caller, agentId, id);
  const kind = kindName(request.kind);
  const data: Prisma.MemoryUpdateManyMutationInput = {
    version: { increment: 1 },
    ...(kind === undefined ? {} : { kind }),
    ...(content === undefined ? {} : { content: content.trim() }),
    ...(metadata === undefined ? {} : { metadata }),
    ...(conversationId === undefined ? {} : { conversationId: conversationId || null }),
    ...(importance === undefined ? {} : { importance }),
    ...(expiresAt === undefined ? {} : { expiresAt }),
    ...(clearExpiresAt ? { expiresAt: null } : {}),
    ...(proposed === undefined ? {} : { proposed: false, keyId: null, userEmail: null }),
  };
  const row = await db.$transaction(async (tx) => {
    requireRevision(request.precondition, memoryRevision(await lockMemory(tx, found)));
    return tx.memory.update({ where: { id }, data });
  });
  await indexSoon(context, row, call.signal);
  return toMemory(row);
};
