import type { Schemas } from '@lectern/sdk';
import type { AskTexts } from '#browser/texts/texts';

type Confidence = Schemas['AnswerConfidence'];

/** Returns a note if the sources support an answer little or not at all. */
export function levelNote(confidence: Confidence | null, sourceCount: number, texts: AskTexts): string | undefined {
  if (confidence === null) return undefined;
  const { label, signals } = confidence;
  // Both are 0 only for a reply that does not answer. It can still quote the closest passage.
  if (signals !== undefined && signals.shapeConfidence === 0 && signals.violationFree === 0) return texts.notAnswered;
  if (label !== 'low') return undefined;
  return sourceCount === 0 ? texts.notAnswered : texts.lowConfidence;
}
