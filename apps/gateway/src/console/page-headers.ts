import type { ServerResponse } from 'node:http';

/** Allows the console to load files from its own origin and to call it. */
const policy = (styles: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' ${styles}`,
    "img-src 'self'",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');

/** Replaces the headers for data by those for a page. `styles` are the sources of its inline styles. */
export function setPageHeaders(response: ServerResponse, styles: string): void {
  response.setHeader('Content-Type', 'text/html; charset=utf-8');
  response.setHeader('Content-Security-Policy', policy(styles));
  response.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
  response.setHeader('Cross-Origin-Resource-Policy', 'same-origin');
  response.setHeader('Permissions-Policy', 'camera=(), geolocation=(), microphone=()');
  response.removeHeader('Access-Control-Allow-Origin');
}
