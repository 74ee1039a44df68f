/**
 * What an agent does with its memories. `off`: nothing. `recall`: a run is given those that fit. `auto`: it also proposes new ones after a run,
 * marked as such.
 */
export const MEMORY_MODES = ['off', 'recall', 'auto'] as const;

export type MemoryMode = (typeof MEMORY_MODES)[number];

export const DEFAULT_MEMORY_MODE: MemoryMode = 'recall';

/** True for the name of a mode that there is. */
export function isMemoryMode(text: string): text is MemoryMode {
  return MEMORY_MODES.some((mode) => mode === text);
}
