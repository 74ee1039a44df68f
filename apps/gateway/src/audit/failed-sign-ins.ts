import { createHash } from 'node:crypto';
import type { Logger, Running } from '@lectern/service-kit';
import { repeat } from '@lectern/service-kit';
import type { Person, PrismaClient } from '#gen/prisma/client';

const HOUR_MS = 3_600_000;
const MAX_PEOPLE = 10_000;
const MAX_ADDRESSES = 5;

/** A failed attempt to sign in to an account that exists. */
interface Attempt {
  readonly person: Pick<Person, 'id' | 'teamId' | 'email'>;
  readonly address: string;
  readonly userAgent: string | undefined;
}

interface Failures extends Attempt {
  readonly since: Date;
  attempts: number;
  readonly addresses: Set<string>;
}

/**
 * Records failed attempts to sign in to the audit log: one event per account and hour with a count, so
 * that an attacker cannot fill the log. They are written in the background, so that the time of a
 * response does not reveal which accounts exist.
 */
export interface FailedSignIns {
  note(attempt: Attempt): void;
  flush(): Promise<void>;
  /** Flushes periodically. */
  start(log: Logger, intervalMs: number): Running;
}

/** The same for all replicas, so that they count in one event. */
const eventId = (personId: string, hour: number) =>
  `aud_${createHash('sha256').update(`failed sign-ins ${personId} ${hour}`).digest('hex').slice(0, 26).replace(/^./, '0')}`;

async function store(db: PrismaClient, { person, since, attempts, addresses, address, userAgent }: Failures) {
  const id = eventId(person.id, Math.floor(since.getTime() / HOUR_MS));
  const details = JSON.stringify({ attempts, email: person.email, addresses: [...addresses] });
  await db.$executeRaw`
    INSERT INTO audit_events AS event
      (id, team_id, action, resource_type, resource_id, origin, user_agent, details, created_at)
    VALUES (${id}, ${person.teamId}, 'signInFailed', 'person', ${person.id}, ${address}, ${userAgent ?? null},
      ${details}::jsonb, ${since})
    ON CONFLICT (id) DO UPDATE SET origin = excluded.origin, user_agent = excluded.user_agent,
      details = event.details || jsonb_build_object(
        'attempts', (event.details->>'attempts')::int + (excluded.details->>'attempts')::int,
        'addresses', (SELECT jsonb_agg(found) FROM (
          SELECT DISTINCT jsonb_array_elements((event.details->'addresses') || (excluded.details->'addresses')) AS found
          LIMIT ${MAX_ADDRESSES}) AS addresses))`;
}

/** Adds the failures of a person that were noted later. They count in the hour of the first one. */
function added(first: Failures, later: Failures | undefined): Failures {
  if (later === undefined) return first;
  const addresses = new Set([...first.addresses, ...later.addresses].slice(0, MAX_ADDRESSES));
  return { ...later, since: first.since, attempts: first.attempts + later.attempts, addresses };
}

export function createFailedSignIns(db: PrismaClient): FailedSignIns {
  let noted = new Map<string, Failures>();
  const flush = async () => {
    const batch = noted;
    noted = new Map();
    for (const [id, failures] of batch) {
      batch.delete(id);
      await store(db, failures).catch((error: unknown) => {
        // The next flush stores the rest, this one last: only its event may be the reason.
        for (const [person, first] of [...batch, [id, failures] as const]) {
          const later = noted.get(person);
          noted.delete(person);
          noted.set(person, added(first, later));
        }
        throw error;
      });
    }
  };
  return {
    note: (attempt) => {
      const { id } = attempt.person;
      const known = noted.get(id);
      if (known === undefined && noted.size >= MAX_PEOPLE) return;
      const failures = known ?? { ...attempt, since: new Date(), attempts: 0, addresses: new Set<string>() };
      failures.attempts += 1;
      if (failures.addresses.size < MAX_ADDRESSES) failures.addresses.add(attempt.address);
      noted.set(id, failures);
    },
    flush,
    start: (log, intervalMs) => {
      const loop = repeat({ name: 'failed sign-ins', intervalMs, log }, flush);
      return {
        stop: async () => {
          await loop.stop();
          await flush().catch((err: unknown) => log.warn({ err }, 'could not record failed attempts to sign in'));
        },
      };
    },
  };
}
