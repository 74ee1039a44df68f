import type { Confidence, Source } from '#api/types.ts';

/** How far the documents support a reply: the label of its confidence, or that it does not answer. */
export type Level = 'high' | 'medium' | 'low' | 'none';

interface Assessed {
  readonly sources: readonly Source[];
  readonly confidence: Confidence | undefined;
}

/** Returns the level of a reply. Undefined for an unfinished one, and for small talk. */
export function levelOf({ sources, confidence }: Assessed): Level | undefined {
  if (confidence === undefined) return undefined;
  const { label, signals } = confidence;
  // Both are 0 only for a reply that does not answer. It can still quote the closest passage.
  if (signals !== undefined && signals.shapeConfidence === 0 && signals.violationFree === 0) return 'none';
  if (sources.length === 0) return label === 'low' ? 'none' : undefined;
  return label;
}
