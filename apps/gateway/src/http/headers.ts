import { newId } from '@lectern/service-kit';
import type { RequestHandler } from 'express';
import { REQUEST_ID_HEADER } from '#http/envelope';
import type { Lifecycle } from '#lifecycle';

/** Sets the id of the request. An id from the client is ignored, because ids must be unique. */
export const requestId: RequestHandler = (_request, response, next) => {
  response.setHeader(REQUEST_ID_HEADER, newId('request'));
  next();
};

/** Makes clients reconnect elsewhere while the gateway is stopping. */
export const closeWhileDraining =
  ({ isDraining }: Lifecycle): RequestHandler =>
  (_request, response, next) => {
    if (isDraining()) response.setHeader('Connection', 'close');
    next();
  };

/** Sets the headers for data, which browsers must not execute, frame, sniff or store. */
export const securityHeaders: RequestHandler = (_request, response, next) => {
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'");
  response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
  response.setHeader('Referrer-Policy', 'no-referrer');
  response.setHeader('X-Content-Type-Options', 'nosniff');
  next();
};
