/** The mechanisms of SASL that sign in with an access token. */
export type TokenMechanism = 'XOAUTH2' | 'OAUTHBEARER';

/** What a client sends to sign in. */
export interface TokenResponse {
  readonly user: string;
  readonly token: string;
}

/**
 * Reads the response of a client; undefined for an invalid one.
 * https://developers.google.com/workspace/gmail/imap/xoauth2-protocol https://www.rfc-editor.org/rfc/rfc7628
 */
export function readTokenResponse(mechanism: TokenMechanism, encoded: string, port: number): TokenResponse | undefined {
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  if (Buffer.from(text).toString('base64') !== encoded) return undefined;
  const fields = text.split('\u0001');
  const token = /^auth=Bearer ([!-~]+)$/.exec(fields.at(-3) ?? '')?.[1];
  if (token === undefined || fields.at(-2) !== '' || fields.at(-1) !== '') return undefined;
  const [first = '', ...others] = fields.slice(0, -3);
  const user = (mechanism === 'XOAUTH2' ? /^user=(.+)$/ : /^n,a=([^,]+),$/).exec(first)?.[1];
  const expected = mechanism === 'XOAUTH2' ? [] : ['host=', `port=${port}`];
  const isExpected = others.length === expected.length && expected.every((start, at) => others[at]?.startsWith(start));
  return user === undefined || !isExpected ? undefined : { user, token };
}
