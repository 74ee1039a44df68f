import type { ClaimedScheduleRun } from '@lectern/contracts';
import type { Context } from '#context';
import { findPerson } from '#identity/person-store';

/** Sends a notice of a paused schedule to an active owner. The console and the audit log show it anyway. */
export async function sendPauseNotice({ db, config, log, mailer }: Context, run: ClaimedScheduleRun): Promise<void> {
  const { id, teamId, agentId, ownerId } = run;
  const owner = await findPerson(db, teamId, ownerId);
  if (mailer === undefined || owner === undefined || owner.status !== 'active') return;
  const page = config.PUBLIC_URL === undefined ? '' : ` ${config.PUBLIC_URL}/console/agents/${agentId}`;
  const text = `Lectern paused one of your schedules because its runs failed. The page of the agent shows why:${page}`;
  const to = { name: owner.name, address: owner.email };
  const mail = { id: `${id}.paused`, to, subject: 'A schedule was paused', text, html: `<p>${text}</p>` };
  await mailer.send(mail).catch((err: unknown) => log.warn({ err }, 'could not send the notice of a paused schedule'));
}
