/** The addresses and the application of an OAuth provider, from the operator's settings. */
export interface OAuthApp {
  /** Whole URLs. */
  readonly authUrl: string;
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** How a type is authorised by its user in a browser. */
export interface OAuthProvider {
  /** Further query parameters of the authorisation page, scope included. */
  readonly authorizeParameters: Readonly<Record<string, string>>;
  readonly pkce: boolean;
  /** How the application names itself at the token address, and in which form the request is. */
  readonly clientAuthentication: 'basic' | 'body';
  readonly tokenRequest: 'form' | 'json';
  /** Further headers that the token address demands. */
  readonly tokenHeaders?: Readonly<Record<string, string>>;
}

/** The present tokens of a connector that a user authorised. */
export interface TokenSource {
  /** A token that is valid as far as is known. Throws `SourceError` of kind `auth` where the user must authorise again. */
  access(signal: AbortSignal): Promise<string>;
  /** The token after one that the source has rejected. Concurrent calls end in one refresh, over all processes. */
  renew(rejected: string, signal: AbortSignal): Promise<string>;
}
