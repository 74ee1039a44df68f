import { AppError, newId, onBehalfOf, systemCaller } from '@lectern/service-kit';
import type { Clients } from '#clients';
import type { IsDeleted } from '#keys/key-watches';

/** Short, because a request whose key loses access must end within 5 s. */
const DEADLINE_MS = 500;

/** Checks with the collection service whether a collection was deleted. */
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
