import type { Schemas } from '@lectern/sdk';

type Confidence = Schemas['AnswerConfidence'];

const LOW = 'The cited passages may not answer your question. Read them first.';
const NONE = 'The documents that you can read do not answer this question.';

/** Returns a note if the sources support an answer little or not at all. */
export function levelNote(confidence: Confidence | null, sourceCount: number): string | undefined {
  if (confidence === null) return undefined;
  const { label, signals } = confidence;
  // Both are 0 only for a reply that does not answer. It can still quote the closest passage.
  if (signals !== undefined && signals.shapeConfidence === 0 && signals.violationFree === 0) return NONE;
  if (label !== 'low') return undefined;
  return sourceCount === 0 ? NONE : LOW;
}
