import { newId, onBehalfOf, systemCaller } from '@lectern/service-kit';

/** Placeholder team id for calls that concern all teams. */
const ALL_TEAMS = 'all';

/** The options of a call of the gateway's background work. */
export const forAllTeams = (signal: AbortSignal) =>
  onBehalfOf({ caller: systemCaller(ALL_TEAMS), requestId: newId('request'), signal });
