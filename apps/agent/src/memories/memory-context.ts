import type { Context } from '#context';

/** What memories are kept with. */
export type MemoryContext = Pick<Context, 'db' | 'memoryIndex' | 'log'>;
