/** The addresses and client of an OAuth provider, from the operator's settings. */
export interface OAuthApp {
  /** Full URLs. */
  readonly authUrl: string;
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** How a user authorizes a type in a browser. */
export interface OAuthProvider {
  /** Additional query parameters of the authorization page, including the scope. */
  readonly authorizeParameters: Readonly<Record<string, string>>;
  readonly pkce: boolean;
  /** How the client authenticates at the token endpoint, and the format of the request. */
  readonly clientAuthentication: 'basic' | 'body';
  readonly tokenRequest: 'form' | 'json';
  /** Additional headers for the token endpoint. */
  readonly tokenHeaders?: Readonly<Record<string, string>>;
}

/** The access tokens of a connector. */
export interface TokenSource {
  /**
   * Returns the current token. Throws `SourceError` of kind `auth` if the user must authorize
   * again.
   */
  access(signal: AbortSignal): Promise<string>;
  /**
   * Returns a new token after the source rejected one. Concurrent calls of a process
   * cause a single refresh, and no refresh token is used again after it was replaced.
   */
  renew(rejected: string, signal: AbortSignal): Promise<string>;
}
