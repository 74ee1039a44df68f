import type { GetSynonymRequest } from '@lectern/contracts';
import type { ServiceCall } from '@lectern/service-kit';
import type { Context } from '#context';
import { findSynonym } from '#synonyms/find-synonym';

/** Returns a custom synonym or a pack's rule. */
export const getSynonym = (context: Context) => (request: GetSynonymRequest, call: ServiceCall) =>
  findSynonym(context, call.caller, request.id);
