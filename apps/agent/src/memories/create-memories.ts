import type { Memory } from '#gen/prisma/client';
import { indexSoon } from '#memories/index-memories';
import type { Memories, Recalled } from '#memories/memories';
import type { MemoryContext } from '#memories/memory-context';
import { asKindName } from '#memories/memory-kind';
import { proposalsOf } from '#memories/proposals';
import { rankMemories } from '#memories/rank-memories';
import { saveMemory } from '#memories/save-memory';
import { usedBy } from '#memories/visible';

/** The memories that one run gets. */
const RECALL = {
  memories: 8,
  /**
   * Preferences apply to every question: this many of the most important ones are always included.
   */
  preferences: 3,
  minPreferenceImportance: 0.5,
  characters: 6_000,
  /** Memories with a lower score only share a word or two with the question. */
  minScore: 0.2,
  timeoutMs: 4_000,
} as const;

/** Creates the memories for runs: `recall` reads them, `propose` adds to them. */
export function createMemories(ctx: MemoryContext): Memories {
  return {
    recall: async (call, agentId, text) => {
      const { caller } = call;
      const signal = AbortSignal.any([call.signal, AbortSignal.timeout(RECALL.timeoutMs)]);
      const among = usedBy(caller, agentId);
      const preferences = await ctx.db.memory.findMany({
        where: { ...among, kind: 'preference', importance: { gte: RECALL.minPreferenceImportance } },
        orderBy: [{ importance: 'desc' }, { createdAt: 'desc' }],
        take: RECALL.preferences,
      });
      const ranked = await rankMemories(ctx, { teamId: caller.teamId, agentId, text, among, signal }).catch((err) => {
        call.signal.throwIfAborted();
        call.log.warn({ err, agentId }, 'could not search memories; the run continues with preferences only');
        return [];
      });
      const scores = new Map(ranked.map(({ memory, score }) => [memory.id, score]));
      const fitting = ranked
        .filter(({ score }) => score >= RECALL.minScore)
        .sort((a, b) => weigh(b.score, b.memory) - weigh(a.score, a.memory))
        .map(({ memory }) => memory);
      const wanted = new Map(
        [...fitting.slice(0, RECALL.memories - RECALL.preferences), ...preferences, ...fitting].map((row) => [
          row.id,
          row,
        ]),
      );
      return within([...wanted.values()].slice(0, RECALL.memories))
        .map((row) => toRecalled(row, scores.get(row.id) ?? 0))
        .sort((a, b) => b.score - a.score);
    },
    propose: async (call, { agentId, runId, conversationId, message }) => {
      const { teamId, keyId, userEmail } = call.caller;
      for (const proposal of proposalsOf(message)) {
        const newMemory = {
          ...proposal,
          teamId,
          agentId,
          keyId: keyId ?? null,
          userEmail: userEmail ?? null,
          metadata: { runId },
          conversationId: conversationId ?? null,
          expiresAt: null,
          proposed: true,
        };
        const { memory } = await saveMemory(ctx, newMemory, usedBy(call.caller, agentId));
        await indexSoon(ctx, memory, call.signal);
      }
    },
  };
}

/** Combines relevance and importance. */
const weigh = (score: number, { importance }: Memory): number => score * (0.5 + importance);

function within(rows: readonly Memory[]): readonly Memory[] {
  let remainingCharacters: number = RECALL.characters;
  return rows.filter(({ content }) => {
    const fits = content.length <= remainingCharacters;
    if (fits) remainingCharacters -= content.length;
    return fits;
  });
}

const toRecalled = ({ id, kind, content }: Memory, score: number): Recalled => ({
  id,
  kind: asKindName(kind),
  content,
  score,
});
