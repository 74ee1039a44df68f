import type { ApiResponse } from '#http/api-response';
import { html } from '#http/html';
import { newBrowserSecret } from '#operations/oauth/browser';

/** The details shown to a person before an account is connected. */
export interface Confirmation {
  readonly provider: string;
  readonly connectorName: string;
  readonly teamName: string;
  /** The targets of the two links. */
  readonly connectUrl: string;
  readonly cancelUrl: string;
  readonly cookie: string;
}

const PROVIDERS: Readonly<Record<string, string>> = {
  gmail: 'Gmail',
  google_drive: 'Google Drive',
  notion: 'Notion',
};

const STYLE = 'body{font:1rem/1.5 system-ui,sans-serif;max-width:36rem;margin:4rem auto;padding:0 1rem}';

/**
 * Renders a page that asks whether the person started this. It has no script and cannot be framed:
 * only a click continues.
 */
export function confirmPage({
  provider,
  connectorName,
  teamName,
  connectUrl,
  cancelUrl,
  cookie,
}: Confirmation): ApiResponse {
  const nonce = newBrowserSecret();
  const label = PROVIDERS[provider] ?? provider;
  const { text } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Connect your ${label} account?</title>
<style nonce="${nonce}">${STYLE}</style>
</head>
<body>
<h1>Connect your ${label} account?</h1>
<p>The connector <strong>${connectorName}</strong> of the team <strong>${teamName}</strong> will be connected to the account that you just approved.
Members of that team will be able to search its content.</p>
<p>Continue only if you started this yourself. If someone sent you a link, cancel.</p>
<p><a href="${connectUrl}">Connect account</a> &middot; <a href="${cancelUrl}">Cancel</a></p>
</body>
</html>
`;
  return {
    kind: 'bytes',
    status: 200,
    contentType: 'text/html; charset=utf-8',
    bytes: Buffer.from(text),
    headers: {
      'Content-Security-Policy': `default-src 'none'; style-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      'Set-Cookie': cookie,
    },
  };
}
