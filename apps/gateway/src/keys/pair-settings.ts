/** The settings of a pair that a management operation can change. */
export interface PairSettings {
  readonly name: string;
  readonly allowAllCollections: boolean;
  readonly allowedCollections: string[];
  readonly allowedHosts: string[];
  readonly allowedReferers: string[];
  /** Can only be narrowed: see `settingsOf`. */
  readonly publishableReads: 'public';
  readonly requireSignature: boolean;
  /** Null for the default of the key's kind. */
  readonly rateLimitPerMinute: number | null;
  /** Null for never. */
  readonly expiresAt: Date | null;
}
