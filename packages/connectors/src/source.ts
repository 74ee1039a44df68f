/**
 * An item of a source in a listing, without its content. Plain JSON, because it is stored in jobs.
 */
export interface SourceRef {
  /** Stable and unique within the connector: a key, a path or the platform's id. */
  readonly id: string;
  /** The readable path in errors and file lists. */
  readonly path: string;
  /**
   * Changes with the content or the visible metadata (ETag, sha, version). Undefined if the source
   * has none.
   */
  readonly version?: string | undefined;
  readonly title: string;
  /** The URL of the original. */
  readonly url?: string | undefined;
  readonly author?: string | undefined;
  readonly sizeBytes?: number | undefined;
  readonly mimeType?: string | undefined;
  /** ISO 8601. */
  readonly updatedAt?: string | undefined;
}

/** The current content of an item. */
export interface SourceContent {
  /**
   * Can be read once. Throws if the source interrupts it, so that a partial body never looks
   * complete.
   */
  readonly body: AsyncIterable<Uint8Array>;
  /** The version of this content, which can be newer than the listed one. */
  readonly version?: string | undefined;
  readonly fileName: string;
  /** Metadata for the document, from a person or the platform. */
  readonly metadata: Readonly<Record<string, unknown>>;
}

/**
 * Error code of a `failed` event that can hide other items: an entry without a readable id, or a
 * folder, space or channel that could not be listed. A listing with such an event deletes nothing.
 */
export const UNREADABLE_ENTRY = 'unreadable_entry';

/**
 * The events of a listing, in order. After storing everything before a `checkpoint`, the listing
 * can resume there. A listing without `complete` was interrupted. Only `authoritative: true` means
 * that items that were not listed do not exist.
 */
export type SourceEvent =
  | { readonly type: 'item'; readonly ref: SourceRef }
  | { readonly type: 'gone'; readonly id: string }
  | {
      readonly type: 'failed';
      readonly id: string;
      readonly path: string;
      readonly error: { readonly code: string; readonly message: string };
    }
  | { readonly type: 'checkpoint'; readonly at: string }
  | {
      readonly type: 'complete';
      readonly authoritative: boolean;
      /**
       * True if a complete listing can miss items (they moved during it, or the source's search
       * missed them): call `resolve` for each known item that was not listed, and delete it only if
       * the result is null.
       */
      readonly confirmGone?: boolean;
    };

/**
 * The principals that can read an item: `public`, `user:<email>`, `user:<source>:<id>`,
 * `group:domain:<domain>`, or a group as `groupPrincipal` names it.
 */
export interface SourcePermissions {
  readonly id: string;
  readonly principals: readonly string[];
}

/**
 * A group and its members. A member is a principal (`user:…`) or a group of the same source. An
 * account with a visible email is always `user:<email>`, never its id.
 */
export interface SourceGroup {
  readonly principal: string;
  readonly members: readonly string[];
}
