/** Numbers sources in order of first citation, as the markers in a reply read. */
export interface CitationLedger {
  /** The source's number, from 1: a new one at its first citation, the same ever after. */
  markerOf(sourceId: string): number;
}

/** A ledger for one reply. */
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
