import { randomBytes } from 'node:crypto';
import { httpStatusOfCode } from '@lectern/contracts';
import { type AppError, toAppError } from '@lectern/service-kit';
import type { Response } from 'express';
import { requestIdOf } from '#http/envelope';
import { html } from '#reference/html';

const STYLE =
  ':root{color-scheme:light dark}body{font:1rem/1.5 system-ui,sans-serif;max-width:36rem;margin:4rem auto;padding:0 1rem}';

/** The codes whose messages are for the person who signs in. */
const SHOWN = ['forbidden', 'upstream_error', 'unavailable', 'rate_limited', 'not_found'];

/** Sends a page with the reason why a sign-in failed, and what to do. It has no script and cannot be framed. */
export function sendFailurePage(response: Response, error: unknown): AppError {
  const appError = toAppError(error);
  const message = SHOWN.includes(appError.code)
    ? appError.message
    : 'Something went wrong. Start again. If it happens again, ask an admin of your team.';
  const nonce = randomBytes(16).toString('base64');
  const { text } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sign-in failed</title>
<style nonce="${nonce}">${STYLE}</style>
</head>
<body>
<main>
<h1>You are not signed in</h1>
<p>${message}</p>
<p><a href="/console">Back to sign-in</a></p>
<p><small>Request ${requestIdOf(response)}</small></p>
</main>
</body>
</html>
`;
  response.statusCode = httpStatusOfCode(appError.code);
  response.setHeader('Content-Type', 'text/html; charset=utf-8');
  response.setHeader(
    'Content-Security-Policy',
    `default-src 'none'; style-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  );
  response.end(text);
  return appError;
}
