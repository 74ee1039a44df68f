import type { CreateMemoryRequest } from '@lectern/contracts';
import type { ServiceCall } from '@lectern/service-kit';
import { readAgentToChange } from '#agents/access';
import type { Context } from '#context';
import { checkMemory } from '#memories/check-memory';
import { indexSoon } from '#memories/index-memories';
import { kindName } from '#memories/memory-kind';
import { saveMemory } from '#memories/save-memory';
import { toMemory } from '#memories/to-memory';
import { visibleTo } from '#memories/visible';

const DEFAULT_KIND = 'fact';
const DEFAULT_IMPORTANCE = 0.5;

/** Creates a memory, or merges it into an equivalent one. */
export const createMemory = (context: Context) => async (request: CreateMemoryRequest, call: ServiceCall) => {
  checkMemory(request);
  const { agentId, content, metadata = {}, conversationId, importance = DEFAULT_IMPORTANCE, expiresAt } = request;
  const { caller } = call;
  await readAgentToChange(context, call, agentId);
  const newMemory = {
    teamId: caller.teamId,
    agentId,
    keyId: null,
    userEmail: null,
    kind: kindName(request.kind) ?? DEFAULT_KIND,
    content: content.trim(),
    metadata,
    conversationId: conversationId || null,
    importance,
    expiresAt: expiresAt ?? null,
    proposed: false,
  };
  const { memory, merged } = await saveMemory(context, newMemory, visibleTo(caller, agentId));
  await indexSoon(context, memory, call.signal);
  return { memory: toMemory(memory), merged };
};
