import type { Context } from '#context';

/** More announcements at once would flood the other gateways. They notice within 5 s without them. */
const MAX_ANNOUNCED = 100;

/** Drops the cached sessions of people on all gateways, and checks their open requests. */
export function announcePeople(
  { pairChanges }: Pick<Context, 'pairChanges'>,
  teamId: string,
  ids: readonly string[],
): void {
  for (const pairId of ids.slice(0, MAX_ANNOUNCED)) pairChanges.announce({ teamId, pairId });
}
