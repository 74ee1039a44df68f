import type { RunCitation } from '@lectern/contracts';
import type { CitationEvent, StopReason } from '@lectern/grounding';

/** Converts a citation of an agent's answer. */
export function toCitationEvent({ documentId, ...citation }: RunCitation): CitationEvent {
  return { type: 'citation', sourceId: documentId, ...citation };
}

/** Converts a stop reason. An unknown reason counts as a regular end. */
export function toStopReason(reason: string): StopReason {
  return reason === 'max_tokens' || reason === 'tool_calls' || reason === 'refused' ? reason : 'end';
}
