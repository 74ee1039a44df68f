import type { RunCitation, RunSource } from '@lectern/contracts';
import type { CitationEvent, SourceDocument, StopReason } from '@lectern/grounding';

/** A document that an agent's run was shown, as models read it. */
export function toSourceDocument({ documentId, title, url, passages }: RunSource): SourceDocument {
  return {
    id: documentId,
    title,
    ...(url === undefined ? {} : { url }),
    passages: passages.map(({ heading, ...passage }) => ({ ...passage, ...(heading === '' ? {} : { heading }) })),
  };
}

/** A citation of an agent's answer. */
export function toCitationEvent({ documentId, ...citation }: RunCitation): CitationEvent {
  return { type: 'citation', sourceId: documentId, ...citation };
}

/** Why the model said no more; a reason that we do not know is an end as any. */
export function toStopReason(reason: string): StopReason {
  return reason === 'max_tokens' || reason === 'tool_calls' || reason === 'refused' ? reason : 'end';
}
