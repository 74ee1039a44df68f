import { z } from 'zod';
import { event } from '#catalog/define';

/**
 * A pair of API keys was changed, rotated or revoked: `lectern.keys.<team>.<pair>.changed`. Caches
 * then reload it.
 */
export const keyChanged = event({
  prefix: 'lectern.keys',
  name: 'changed',
  schema: z.object({ teamId: z.string(), pairId: z.string() }),
  key: ({ teamId, pairId }) => [teamId, pairId],
  keyLength: 2,
});
