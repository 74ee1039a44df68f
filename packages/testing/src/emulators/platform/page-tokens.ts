import { randomUUID } from 'node:crypto';

/** Opaque page tokens: each stands for a place in one listing and is no good for another. */
export interface PageTokens<Place> {
  issue(listing: string, place: Place): string;
  /** The place, or undefined where the token is unknown, expired, or of another listing. */
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
