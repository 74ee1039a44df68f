import type { Context } from '#context';

/** The dependencies of memories. */
export type MemoryContext = Pick<Context, 'db' | 'memoryIndex' | 'log'>;
