import { newId } from '@lectern/service-kit';
import type { RequestHandler } from 'express';
import { REQUEST_ID_HEADER } from '#http/envelope';
import type { Lifecycle } from '#lifecycle';

/** Gives the request its id. Never the client's: two requests must not share one. */
export const requestId: RequestHandler = (_request, response, next) => {
  response.setHeader(REQUEST_ID_HEADER, newId('request'));
  next();
};

/** Has clients open their next connection elsewhere: one that is kept alive would come back to a gateway that is about to stop. */
export const closeWhileDraining =
  ({ isDraining }: Lifecycle): RequestHandler =>
  (_request, response, next) => {
    if (isDraining()) response.setHeader('Connection', 'close');
    next();
  };

/** For answers that are data: never run, framed, sniffed or stored. */
export const securityHeaders: RequestHandler = (_request, response, next) => {
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'");
  response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
  response.setHeader('Referrer-Policy', 'no-referrer');
  response.setHeader('X-Content-Type-Options', 'nosniff');
  next();
};
