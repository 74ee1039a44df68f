import { analyzePassage, documentWords, queryWords, wordId } from '@lectern/embeddings';
import { analyzeQuery } from '@lectern/text';
import type { Memory, Prisma } from '#gen/prisma/client';
import type { MemoryContext } from '#memories/memory-context';
import { MEMORY_LIMITS } from '#memories/memory-limits';

/** A memory and its relevance from 0 to 1. */
export interface RankedMemory {
  readonly memory: Memory;
  readonly score: number;
}

export interface RankRequest {
  readonly teamId: string;
  readonly agentId: string;
  /** Only the start of a long text is used. */
  readonly text: string;
  /** The filter for memories that can be found. */
  readonly among: Prisma.MemoryWhereInput;
  readonly signal: AbortSignal;
}

/** The number of candidates from the vector store, and of candidates that are not indexed yet. */
const CANDIDATES = 200;

/** Memories with a lower score share no words with the text and almost none of its meaning. */
const MIN_SCORE = 0.02;

/**
 * Returns the memories relevant to a text, best first. Candidates come from the vector store, and
 * from rows that are not indexed yet. Only existing rows are returned. The score combines the
 * weighted share of the text's words in the memory and the similarity of meaning:
 * 1 − (1 − words) · (1 − meaning).
 */
export async function rankMemories(
  { db, memoryIndex }: MemoryContext,
  { teamId, agentId, text, among, signal }: RankRequest,
): Promise<readonly RankedMemory[]> {
  const queryText = text.slice(0, MEMORY_LIMITS.query);
  const found = await memoryIndex.find({ teamId, agentId }, queryText, CANDIDATES, signal);
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
  const wordsOf = coverage(queryText, rows);
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

/**
 * Returns a function for the share of a text's words in a memory, weighted by
 * ln(1 + (N + 1) / (n + 1)).
 */
function coverage(text: string, rows: readonly Memory[]): (memory: Memory) => number {
  const query = analyzeQuery(text);
  const { indices, values } = queryWords(query);
  const required = new Set(query.terms.filter(({ weight }) => weight === 1).map(({ term }) => wordId(term)));
  const words = new Map(rows.map(({ id, content }) => [id, new Set(documentWords(analyzePassage({ text: content })))]));
  const weights = indices.map((word) => {
    const holders = rows.filter(({ id }) => words.get(id)?.has(word)).length;
    return Math.log(1 + (rows.length + 1) / (holders + 1));
  });
  // Terms of other languages can match a word, but are not required.
  const total = indices.reduce((sum, word, at) => {
    return required.has(word) ? sum + (weights[at] ?? 0) * Math.min(1, values[at] ?? 0) : sum;
  }, 0);
  return ({ id }) => {
    if (total === 0) return 0;
    const own = words.get(id);
    const covered = indices.reduce((sum, word, at) => {
      return own?.has(word) ? sum + (weights[at] ?? 0) * Math.min(1, values[at] ?? 0) : sum;
    }, 0);
    return Math.min(1, covered / total);
  };
}
