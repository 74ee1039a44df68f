import type { Passkey } from '#gen/prisma/client';
import { time } from '#operations/convert';

export function passkeyRecord({ id, name, createdAt, lastUsedAt }: Passkey) {
  return { id, name, createdAt: time(createdAt), lastUsedAt: time(lastUsedAt ?? undefined) };
}
