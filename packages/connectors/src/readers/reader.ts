/** An account, with its email if the response includes it. */
export interface UserReader {
  readonly kind: 'user';
  readonly id: string;
  readonly email?: string | undefined;
}

/** Someone who can read content. */
export type Reader = { readonly kind: 'everyone' } | UserReader | { readonly kind: 'group'; readonly id: string };

export interface Account {
  readonly name: string | undefined;
  /** Undefined if the person or the site hides it. */
  readonly email: string | undefined;
}
