import type { RunCitation, RunSource } from '@lectern/contracts';
import type { CitationEvent, SourceDocument, StopReason } from '@lectern/grounding';

/** Converts a document that an agent's run has read to a model's source. */
export function toSourceDocument({ documentId, title, url, passages }: RunSource): SourceDocument {
  return {
    id: documentId,
    title,
    ...(url === undefined ? {} : { url }),
    passages: passages.map(({ heading, ...passage }) => ({ ...passage, ...(heading === '' ? {} : { heading }) })),
  };
}

/** Converts a citation of an agent's answer. */
export function toCitationEvent({ documentId, ...citation }: RunCitation): CitationEvent {
  return { type: 'citation', sourceId: documentId, ...citation };
}

/** Converts a stop reason. An unknown reason counts as a regular end. */
export function toStopReason(reason: string): StopReason {
  return reason === 'max_tokens' || reason === 'tool_calls' || reason === 'refused' ? reason : 'end';
}
