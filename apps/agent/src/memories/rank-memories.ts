import { documentWords, queryWords } from '@lectern/embeddings';
import type { Memory, Prisma } from '#gen/prisma/client';
import type { MemoryContext } from '#memories/memory-context';
import { MEMORY_LIMITS } from '#memories/memory-limits';

/** A memory and how well it fits, 0 to 1. */
export interface RankedMemory {
  readonly memory: Memory;
  readonly score: number;
}

export interface RankRequest {
  readonly teamId: string;
  readonly agentId: string;
  /** Of a longer one only the beginning counts. */
  readonly text: string;
  /** The memories that may be found. */
  readonly among: Prisma.MemoryWhereInput;
  readonly signal: AbortSignal;
}

/** Memories that the vectors contribute, and as many of those not indexed yet. */
const CANDIDATES = 200;

/** Below this a memory has not a word of the text and hardly its meaning. */
const MIN_SCORE = 0.02;

/**
 * The memories that fit a text, best first. The vector store proposes, the rows decide: what they do not hold (any more) is not found, and what is
 * not indexed yet is found by its words. The score does not depend on what else there is: the share of the text's words that the memory has, rare
 * ones counting more, and the nearness of the meanings, each taking up what the other leaves: 1 − (1 − words) · (1 − meaning).
 */
export async function rankMemories(
  { db, memoryIndex }: MemoryContext,
  { teamId, agentId, text, among, signal }: RankRequest,
): Promise<readonly RankedMemory[]> {
  const asked = text.slice(0, MEMORY_LIMITS.query);
  const found = await memoryIndex.find({ teamId, agentId }, asked, CANDIDATES, signal);
  const semantic = new Map(found.map((one) => [one.id, one.semantic]));
  const [indexed, fresh] = await Promise.all([
    db.memory.findMany({ where: { ...among, id: { in: [...semantic.keys()] } } }),
    db.memory.findMany({
      where: { ...among, indexedVersion: { lt: db.memory.fields.version } },
      orderBy: { updatedAt: 'desc' },
      take: CANDIDATES,
    }),
  ]);
  const rows = [...new Map([...indexed, ...fresh].map((row) => [row.id, row])).values()];
  const wordsOf = coverage(asked, rows);
  return rows
    .map((memory) => ({ memory, score: 1 - (1 - wordsOf(memory)) * (1 - (semantic.get(memory.id) ?? 0)) }))
    .filter(({ score }) => score >= MIN_SCORE)
    .sort(
      (a, b) =>
        b.score - a.score ||
        b.memory.importance - a.memory.importance ||
        b.memory.createdAt.getTime() - a.memory.createdAt.getTime(),
    );
}

/** Tells the share of a text's words that a memory has, each weighed by how few of the memories have it: ln(1 + (N + 1) / (n + 1)). */
function coverage(text: string, rows: readonly Memory[]): (memory: Memory) => number {
  const { indices, values } = queryWords(text);
  const words = new Map(rows.map(({ id, content }) => [id, new Set(documentWords({ text: content }))]));
  const weights = indices.map((word) => {
    const holders = rows.filter(({ id }) => words.get(id)?.has(word)).length;
    return Math.log(1 + (rows.length + 1) / (holders + 1));
  });
  // Readings in other languages, of a weight below 1, can stand for a word but ask for nothing.
  const total = indices.reduce((sum, _word, at) => sum + ((values[at] ?? 0) >= 1 ? (weights[at] ?? 0) : 0), 0);
  return ({ id }) => {
    if (total === 0) return 0;
    const own = words.get(id);
    const covered = indices.reduce((sum, word, at) => {
      return own?.has(word) ? sum + (weights[at] ?? 0) * Math.min(1, values[at] ?? 0) : sum;
    }, 0);
    return Math.min(1, covered / total);
  };
}
