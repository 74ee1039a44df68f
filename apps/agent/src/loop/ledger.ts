import type { CitationLedger } from '@lectern/grounding';

/** Numbers the citations of a run across all calls to the model. */
export interface RunLedger {
  /** Returns the ledger of one call, which continues the kept numbers. */
  next(): { readonly ledger: CitationLedger /** Keeps its numbers after a reader has seen them. */; keep(): void };
}

/**
 * Creates a ledger that keeps numbers only after a reader has seen them. Text before tool calls is
 * not part of the answer.
 */
export function createRunLedger(): RunLedger {
  let keptNumbers: ReadonlyMap<string, number> = new Map();
  return {
    next() {
      const markers = new Map(keptNumbers);
      return {
        ledger: {
          markerOf(sourceId) {
            const marker = markers.get(sourceId) ?? markers.size + 1;
            markers.set(sourceId, marker);
            return marker;
          },
        },
        keep: () => {
          keptNumbers = markers;
        },
      };
    },
  };
}
