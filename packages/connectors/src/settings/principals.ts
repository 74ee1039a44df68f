import { z } from 'zod';

const PRINCIPAL = /^(public|user:\S+|group:\S+)$/;

/** `config.principals` of sources that do not say who may read: who may read all of the connector's documents. */
export const principals = z
  .array(z.string().regex(PRINCIPAL, 'must be public, user:… or group:…').max(320))
  .min(1, 'must name someone; leave it out for public')
  .max(100);
