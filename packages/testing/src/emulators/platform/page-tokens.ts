import { randomUUID } from 'node:crypto';

/** Opaque page tokens. Each is a position in one listing and invalid for others. */
export interface PageTokens<Place> {
  issue(listing: string, place: Place): string;
  /** The position, or undefined if the token is unknown, expired or from another listing. */
  read(listing: string, token: string): Place | undefined;
  expireAll(): void;
}

export function createPageTokens<Place>(): PageTokens<Place> {
  const places = new Map<string, { listing: string; place: Place }>();
  return {
    issue: (listing, place) => {
      const token = randomUUID();
      places.set(token, { listing, place });
      return token;
    },
    read: (listing, token) => {
      const known = places.get(token);
      return known?.listing === listing ? known.place : undefined;
    },
    expireAll: () => places.clear(),
  };
}
