import {
  fromScheduleTarget,
  isId,
  type ScheduleTarget,
  type ScheduleTargetRecord,
  toScheduleTarget,
} from '@lectern/contracts';
import { type Issue, invalidRequest } from '@lectern/service-kit';
import { z } from 'zod';
import { SCHEDULE_LIMITS } from '#schedules/limits';

const stored: z.ZodType<ScheduleTargetRecord> = z.discriminatedUnion('type', [
  z.object({ type: z.literal('webhook'), webhookId: z.string() }),
  z.object({ type: z.literal('slack'), appId: z.string(), channel: z.string() }),
  z.object({ type: z.literal('email'), personId: z.string() }),
]);
const storedList = z.array(stored);

/** Reads a stored target. */
export const readTarget = (value: unknown): ScheduleTargetRecord => stored.parse(value);

/** Reads the stored targets of a schedule. */
export const readTargets = (value: unknown): readonly ScheduleTargetRecord[] => storedList.parse(value);

/** Returns the message of a stored target. Undefined if this version does not know it. */
export function knownTarget(value: unknown): ScheduleTarget | undefined {
  const { data } = stored.safeParse(value);
  return data && toScheduleTarget(data);
}

const CHANNEL = /^[CG][A-Z0-9]{2,29}$/;

/** True if the ids of a target are well-formed. */
function hasValidIds(target: ScheduleTargetRecord): boolean {
  switch (target.type) {
    case 'webhook':
      return isId('webhook', target.webhookId);
    case 'slack':
      return isId('slackApp', target.appId) && CHANNEL.test(target.channel);
    case 'email':
      return isId('person', target.personId);
  }
}

/**
 * Checks targets. Whether they exist and the caller may use them, the gateway checks, which has them.
 * Throws `invalid_request`.
 */
export function checkTargets(targets: readonly ScheduleTarget[]): readonly ScheduleTargetRecord[] {
  const issues: Issue[] = [];
  if (targets.length > SCHEDULE_LIMITS.targets) {
    issues.push({ path: 'targets', message: `must have at most ${SCHEDULE_LIMITS.targets} entries` });
  }
  const known = new Set<string>();
  const checked = targets.flatMap((target, at) => {
    const converted = fromScheduleTarget(target);
    const key = JSON.stringify(converted);
    if (converted === undefined || !hasValidIds(converted))
      issues.push({ path: `targets[${at}]`, message: 'has an invalid id' });
    else if (known.has(key)) issues.push({ path: `targets[${at}]`, message: 'occurs twice' });
    known.add(key);
    return converted ?? [];
  });
  if (issues.length > 0) throw invalidRequest(issues);
  return checked;
}
