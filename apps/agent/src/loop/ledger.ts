import type { CitationLedger } from '@lectern/grounding';

/** Numbers the citations of a run over all its calls of the model. */
export interface RunLedger {
  /** For one call of the model: goes on from what was kept. */
  next(): { readonly ledger: CitationLedger /** Keeps its numbers, since a reader has seen them. */; keep(): void };
}

/** A ledger whose numbers count only once a reader has seen them: what a model said before it called tools is not part of the answer. */
export function createRunLedger(): RunLedger {
  let kept: ReadonlyMap<string, number> = new Map();
  return {
    next() {
      const markers = new Map(kept);
      return {
        ledger: {
          markerOf(sourceId) {
            const marker = markers.get(sourceId) ?? markers.size + 1;
            markers.set(sourceId, marker);
            return marker;
          },
        },
        keep: () => {
          kept = markers;
        },
      };
    },
  };
}
