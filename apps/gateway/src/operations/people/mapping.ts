import { digestOf } from '@lectern/service-kit';
import type { AccountLink, Person, Session } from '#gen/prisma/client';
import { publicUrl } from '#http/public-url';
import { time } from '#operations/convert';
import type { OpenCall } from '#pipeline/operation';

export function personRecord({ id, email, name, role, status, createdAt, lastSignInAt }: Person) {
  const signedInAt = time(lastSignInAt ?? undefined);
  return { id, email, name, role, status, createdAt: time(createdAt), lastSignInAt: signedInAt };
}

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
