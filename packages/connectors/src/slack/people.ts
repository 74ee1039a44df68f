import type { ConnectorCall } from '#connector';
import type { SlackApi } from '#slack/slack-api';
import { type User, UserPage } from '#slack/slack-schemas';
import { SourceError } from '#source-error';

const CACHE_MS = 10 * 60_000;

export interface People {
  /**
   * Returns all users of the workspace by id; empty if the app cannot list them. Cached for some
   * minutes.
   */
  all(call: ConnectorCall): Promise<ReadonlyMap<string, User>>;
}

export const nameOf = (user: User | undefined): string | undefined =>
  user?.profile?.display_name || user?.profile?.real_name || user?.real_name || user?.name || undefined;

/** Returns `user:<email>`, or `user:slack:<id>` if the email is hidden. */
export function principalOf(id: string, people: ReadonlyMap<string, User>): string {
  const email = people.get(id)?.profile?.email;
  return email ? `user:${email.toLowerCase()}` : `user:slack:${id}`;
}

/**
 * Returns true for full members, who see every public channel. Guests see only channels that they
 * are in.
 */
export function isFullMember(user: User, teamId: string): boolean {
  const elsewhere = user.is_stranger === true || (user.team_id != null && user.team_id !== teamId);
  const guest = user.is_restricted === true || user.is_ultra_restricted === true;
  return !(user.deleted || user.is_bot || user.id === 'USLACKBOT' || guest || elsewhere);
}

interface Reading {
  readonly since: number;
  readonly found: Map<string, User>;
  next: string | undefined;
  done: boolean;
}

export function createPeople(api: SlackApi, now: () => number = Date.now): People {
  let reading: Reading | undefined;
  let turn: Promise<unknown> = Promise.resolve();

  const read = async (call: ConnectorCall): Promise<ReadonlyMap<string, User>> => {
    if (reading === undefined || now() - reading.since > CACHE_MS) {
      reading = { since: now(), found: new Map(), next: undefined, done: false };
    }
    const current = reading;
    try {
      // Pages are kept if Slack limits the rate, so that the retry needs fewer requests.
      while (!current.done) {
        const { page, next } = await api.page(call, 'users.list', {}, UserPage, current.next);
        // An unreadable user is shown by id.
        for (const user of page.members.items) current.found.set(user.id, user);
        current.next = next;
        current.done = next === undefined;
      }
    } catch (error) {
      if (!(error instanceof SourceError) || error.kind !== 'forbidden') {
        if (error instanceof SourceError && error.kind === 'invalid') reading = undefined;
        throw error;
      }
      current.done = true;
    }
    return current.found;
  };

  return {
    all: (call) => {
      // One reader at a time; concurrent calls reuse its result.
      const result = turn.then(() => read(call));
      turn = result.catch(() => undefined);
      return result;
    },
  };
}
