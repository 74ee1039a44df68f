/** One item of a source as a listing shows it, without its content. Kept with the work, so it is plain JSON. */
export interface SourceRef {
  /** Stable and unique within the connector: a key, a path, the platform's own id. */
  readonly id: string;
  /** What a person knows the item by; the path in errors and file lists. */
  readonly path: string;
  /** Changes whenever the content or what is shown of it does (ETag, sha, version). Absent where the source has none. */
  readonly version?: string | undefined;
  readonly title: string;
  /** Opens the original. */
  readonly url?: string | undefined;
  readonly author?: string | undefined;
  readonly sizeBytes?: number | undefined;
  readonly mimeType?: string | undefined;
  /** ISO 8601. */
  readonly updatedAt?: string | undefined;
}

/** The content of an item, as it is when it is read. */
export interface SourceContent {
  /** Read once. Ends with an error where the source breaks off: a short body is never taken for a whole one. */
  readonly body: AsyncIterable<Uint8Array>;
  /** The version that is being read, which may be newer than the listed one. */
  readonly version?: string | undefined;
  readonly fileName: string;
  /** Facts that go on the document: a person's own, or the platform's. */
  readonly metadata: Readonly<Record<string, unknown>>;
}

/**
 * Error code of a `failed` event that may hide other items: an entry without a readable id, or a
 * folder, space or channel that could not be listed. A listing with such an event deletes nothing.
 */
export const UNREADABLE_ENTRY = 'unreadable_entry';

/**
 * What a listing tells, in order. A `checkpoint` stands behind everything before it: whoever stores that and then the checkpoint can
 * begin the listing again from there. A listing that ends without `complete` was cut off; only `authoritative: true` says that
 * what was not listed does not exist.
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
       * True where items can escape a whole listing (they moved while it ran, or the source's own search missed them): ask
       * `resolve` for each known item that was not listed, and take for deleted only what it answers null for.
       */
      readonly confirmGone?: boolean;
    };

/** Who may read an item: `public`, `user:<e-mail>`, `user:<source>:<id>`, `group:domain:<domain>`, or a group as `groupPrincipal` names it. */
export interface SourcePermissions {
  readonly id: string;
  readonly principals: readonly string[];
}

/**
 * A group and who is in it. A member is a principal again (`user:…`), or a group of the same source. An account whose e-mail the source
 * shows is named by `user:<e-mail>` everywhere, never by its id.
 */
export interface SourceGroup {
  readonly principal: string;
  readonly members: readonly string[];
}
