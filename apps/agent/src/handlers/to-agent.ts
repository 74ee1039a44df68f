import type { Agent } from '#gen/prisma/client';

/** An agent's row as the contract shows it. */
export function toAgent({ description, startMessage, teamId: _team, keyId: _key, ...agent }: Agent) {
  return { ...agent, description: description ?? undefined, startMessage: startMessage ?? undefined };
}
