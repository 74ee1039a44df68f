/** Numbers sources in order of first citation. */
export interface CitationLedger {
  /** The source's number, from 1. */
  markerOf(sourceId: string): number;
}

/** Creates a ledger for one reply. */
export function createCitationLedger(): CitationLedger {
  const markers = new Map<string, number>();
  return {
    markerOf(sourceId) {
      const known = markers.get(sourceId);
      if (known !== undefined) return known;
      const marker = markers.size + 1;
      markers.set(sourceId, marker);
      return marker;
    },
  };
}
