import { isDeepStrictEqual } from 'node:util';
import type { schedules } from '@lectern/api-spec';
import type { ScheduleTargetRecord } from '@lectern/contracts';
import { AppError, type Issue, invalidRequest } from '@lectern/service-kit';
import type { Context } from '#context';
import { findPerson } from '#identity/person-store';
import type { KeyedCall } from '#pipeline/operation';
import { maySend } from '#schedules/owner';
import { findApp } from '#slack/app-store';
import { findWebhook } from '#webhooks/webhook-store';

type NewTarget = schedules.NewScheduleTarget;

/** Email without a person goes to the caller. */
function withPerson(target: NewTarget, { key }: KeyedCall): ScheduleTargetRecord | undefined {
  if (target.type !== 'email') return target;
  const personId = target.personId ?? (key.person === undefined ? undefined : key.pairId);
  return personId === undefined ? undefined : { type: 'email', personId };
}

/** Returns what is wrong with a target that the caller chooses. */
async function problemOf({ db, mailer }: Context, target: ScheduleTargetRecord, { caller }: KeyedCall) {
  const { teamId } = caller;
  switch (target.type) {
    case 'webhook':
      return (await findWebhook(db, caller, target.webhookId)) === undefined
        ? { field: 'webhookId', message: 'must be a webhook of the team' }
        : undefined;
    case 'slack': {
      const app = await findApp(db, teamId, target.appId);
      if (app === undefined) return { field: 'appId', message: 'must be a Slack app of the team' };
      return app.channels.includes(target.channel)
        ? undefined
        : { field: 'channel', message: 'must be one of the allowed channels of the app' };
    }
    case 'email': {
      if (mailer === undefined) {
        return { field: 'type', message: 'needs a mail server, which the operator sets with SMTP_URL' };
      }
      const person = await findPerson(db, teamId, target.personId);
      return person?.status === 'active'
        ? undefined
        : { field: 'personId', message: 'must be an active person of the team' };
    }
  }
}

/**
 * Checks the targets of a schedule that the caller will own. Others read there what the owner may read, so
 * only those who manage webhooks, Slack apps and people choose them. Stored targets may have been deleted
 * meanwhile. Throws `invalid_request` and `forbidden`.
 */
export async function checkTargets(
  ctx: Context,
  targets: readonly NewTarget[],
  call: KeyedCall,
  stored: readonly ScheduleTargetRecord[] = [],
): Promise<readonly ScheduleTargetRecord[]> {
  const issues: Issue[] = [];
  const checked: ScheduleTargetRecord[] = [];
  for (const [at, given] of targets.entries()) {
    const target = withPerson(given, call);
    if (target === undefined) {
      issues.push({ path: `targets[${at}].personId`, message: 'is required for a key, which has no address' });
      continue;
    }
    checked.push(target);
    if (!maySend(call.key, target)) {
      throw new AppError(
        'forbidden',
        'Only an admin, or a key with the right "keys", can send results to webhooks, Slack channels and other people. Choose email to yourself.',
      );
    }
    if (stored.some((known) => isDeepStrictEqual(known, target))) continue;
    const problem = await problemOf(ctx, target, call);
    if (problem !== undefined) issues.push({ path: `targets[${at}].${problem.field}`, message: problem.message });
  }
  if (issues.length > 0) throw invalidRequest(issues);
  return checked;
}
