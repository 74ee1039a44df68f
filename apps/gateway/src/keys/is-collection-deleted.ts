import { AppError, newId, onBehalfOf, systemCaller } from '@lectern/service-kit';
import type { Clients } from '#clients';
import type { IsDeleted } from '#keys/key-watches';

/** Requests of a lost right end within 5 s, so the answer is not awaited for longer. */
const DEADLINE_MS = 500;

/** Asks the service that owns collections. */
export const isCollectionDeleted =
  ({ collections }: Pick<Clients, 'collections'>): IsDeleted =>
  async (teamId, id) => {
    const call = {
      caller: systemCaller(teamId),
      requestId: newId('request'),
      signal: AbortSignal.timeout(DEADLINE_MS),
    };
    try {
      await collections.getCollection({ id }, onBehalfOf(call));
      return false;
    } catch (error) {
      if (error instanceof AppError && error.code === 'not_found') return true;
      throw error;
    }
  };
