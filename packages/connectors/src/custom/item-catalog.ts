/** What a document of a pushed item is made of, besides its content. */
export interface ItemProperties {
  readonly title: string;
  /** The name of the content. Its extension helps to detect the type. */
  readonly fileName: string;
  readonly sizeBytes: number;
  readonly mimeType?: string | undefined;
  readonly url?: string | undefined;
  readonly author?: string | undefined;
  /** ISO 8601. */
  readonly updatedAt?: string | undefined;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** An item that a team pushed to Lectern. */
export interface StoredItem extends ItemProperties {
  readonly id: string;
  /** The key of its content; a new one for each put. */
  readonly blobKey: string;
  /** Changes with the content and the properties. */
  readonly version: string;
  /** Undefined: those of the connector apply. */
  readonly principals: readonly string[] | undefined;
}

/** The pushed items of one connector. */
export interface ItemCatalog {
  /** Returns up to `limit` items after an id, in byte order of their ids. */
  page(after: string | undefined, limit: number): Promise<readonly StoredItem[]>;
  find(id: string): Promise<StoredItem | undefined>;
}
