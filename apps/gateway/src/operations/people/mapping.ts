import { digestOf } from '@lectern/service-kit';
import type { AccountLink, Person, Prisma, Session } from '#gen/prisma/client';
import { publicUrl } from '#http/public-url';
import { effectiveRole, groupsOf, type PersonGroups } from '#identity/group-store';
import { time } from '#operations/convert';
import type { OpenCall } from '#pipeline/operation';

function personRecord(person: Person, groups: PersonGroups) {
  const { id, email, name, role, status, createdAt, lastSignInAt } = person;
  const times = { createdAt: time(createdAt), lastSignInAt: time(lastSignInAt ?? undefined) };
  return {
    id,
    email,
    name,
    role,
    effectiveRole: effectiveRole(role, groups),
    groups: groups.principals,
    status,
    ...times,
  };
}

/** The records of people with their groups. */
export async function personRecords(db: Prisma.TransactionClient, people: readonly Person[]) {
  const groups = await groupsOf(
    db,
    people.map(({ id }) => id),
  );
  return people.map((person) => personRecord(person, groups(person.id)));
}

/** The record of a person with the groups. */
export const personRecordOf = async (db: Prisma.TransactionClient, person: Person) =>
  personRecord(person, (await groupsOf(db, [person.id]))(person.id));

/** The revision of the fields that can be changed. */
export const personRevision = ({ name, role, status }: Person): string => digestOf([name, role, status]);

/** `currentId` is the session that sends the request. */
export function sessionRecord(session: Session, currentId: string | undefined) {
  const { id, address, userAgent, createdAt, lastSeenAt, expiresAt } = session;
  const times = { createdAt: time(createdAt), lastSeenAt: time(lastSeenAt), expiresAt: time(expiresAt) };
  return { id, ip: address, userAgent, isCurrent: id === currentId, ...times };
}

export function invitationRecord({ id, email, role, createdAt, expiresAt }: AccountLink) {
  return { id, email, role, createdAt: time(createdAt), expiresAt: time(expiresAt) };
}

/** The URL of a link. Browsers do not send the part after `#` to servers, so no log contains it. */
export const linkUrl = (token: string, setting: string | undefined, { host, client }: OpenCall): string =>
  `${publicUrl(setting, host, client.isSecure).url}/console/join#${token}`;
