import { randomBytes } from 'node:crypto';
import type { account } from '@lectern/api-spec';
import { httpStatusOfCode } from '@lectern/contracts';
import { type AppError, toAppError } from '@lectern/service-kit';
import type { Response } from 'express';
import { requestIdOf } from '#http/envelope';
import { html } from '#http/html';
import { SignInError } from '#identity/sign-in-error';

const STYLE =
  ':root{color-scheme:light dark}body{font:1rem/1.5 system-ui,sans-serif;max-width:36rem;margin:4rem auto;padding:0 1rem}';

/** The codes whose messages are for the person who signs in. */
const SHOWN = ['forbidden', 'upstream_error', 'unavailable', 'rate_limited', 'not_found'];

const TEXTS = {
  en: {
    title: 'Sign-in failed',
    heading: 'You are not signed in',
    other: 'Something went wrong. Start again. If it happens again, ask an admin of your team.',
    back: 'Back to sign-in',
    request: 'Request',
  },
  de: {
    title: 'Anmeldung fehlgeschlagen',
    heading: 'Sie sind nicht angemeldet',
    other:
      'Etwas ist schiefgegangen. Beginnen Sie noch einmal. Wenn es wieder passiert, wenden Sie sich an einen Admin Ihres Teams.',
    back: 'Zurück zur Anmeldung',
    request: 'Anfrage',
  },
} as const satisfies Record<account.Language, object>;

/** Reasons that the API gives in English only. */
const GERMAN_REASONS: Partial<Record<string, string>> = {
  not_found: 'Diesen Identitätsanbieter gibt es nicht mehr. Gehen Sie zurück zur Anmeldung.',
  rate_limited: 'Zu viele Anmeldungen von dieser Adresse. Warten Sie eine Minute, und beginnen Sie noch einmal.',
  unavailable: 'Lectern ist gerade nicht erreichbar. Versuchen Sie es gleich noch einmal.',
};

/** Returns why the sign-in failed, and the language of this text. */
function reasonOf(error: AppError, language: account.Language): readonly [string, account.Language] {
  if (error instanceof SignInError) return [error.texts[language], language];
  if (!SHOWN.includes(error.code)) return [TEXTS[language].other, language];
  const german = language === 'de' ? GERMAN_REASONS[error.code] : undefined;
  return german === undefined ? [error.message, 'en'] : [german, 'de'];
}

/** The language of the browser, because no one is signed in. */
const languageOf = ({ req }: Response): account.Language => (req.acceptsLanguages('en', 'de') === 'de' ? 'de' : 'en');

/** Sends a page with the reason why a sign-in failed, and what to do. It has no script and cannot be framed. */
export function sendFailurePage(response: Response, error: unknown): AppError {
  const appError = toAppError(error);
  const language = languageOf(response);
  const texts = TEXTS[language];
  const [reason, reasonLanguage] = reasonOf(appError, language);
  const nonce = randomBytes(16).toString('base64');
  const { text } = html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${texts.title}</title>
<style nonce="${nonce}">${STYLE}</style>
</head>
<body>
<main>
<h1>${texts.heading}</h1>
<p lang="${reasonLanguage}">${reason}</p>
<p><a href="/console">${texts.back}</a></p>
<p><small>${texts.request} ${requestIdOf(response)}</small></p>
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
