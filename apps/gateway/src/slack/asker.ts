import { people } from '@lectern/api-spec';
import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import type { PrismaClient, SlackApp } from '#gen/prisma/client';
import { personKey } from '#identity/person-key';
import type { StoredKey } from '#keys/key-store';
import { slackCode } from '#slack/slack-client';
import type { Refusal } from '#slack/texts';

const user = z.object({
  id: z.string(),
  team_id: z.string().optional(),
  deleted: z.boolean().optional(),
  is_bot: z.boolean().optional(),
  is_app_user: z.boolean().optional(),
  is_workflow_bot: z.boolean().optional(),
  is_stranger: z.boolean().optional(),
  is_restricted: z.boolean().optional(),
  is_ultra_restricted: z.boolean().optional(),
  is_email_confirmed: z.boolean().optional(),
  profile: z.object({ email: z.string().optional() }).optional(),
});
export type SlackUser = z.output<typeof user>;

/** True for a program. It gets no response at all. */
const isProgram = ({ id, is_bot: isBot, is_workflow_bot: isWorkflow }: SlackUser) =>
  isBot === true || isWorkflow === true || id === 'USLACKBOT';

/** Why the account is not one of a full member of the workspace. https://docs.slack.dev/reference/objects/user-object */
export function refusalOf(account: SlackUser, workspaceId: string): Refusal | undefined {
  if (account.is_stranger === true || account.team_id !== workspaceId || account.deleted === true) return 'outsider';
  return account.is_restricted === true || account.is_ultra_restricted === true ? 'guest' : undefined;
}

/** Who asks: a person of the team, somebody who gets an explanation, or a program. */
export type Asker = { readonly key: StoredKey } | { readonly refusal: Refusal } | 'program';

/**
 * Finds the person of the team who has the confirmed address of a Slack account. Nothing is cached: an
 * address that changes in Slack, or an account that changes in Lectern, counts for the next question.
 */
export async function findAsker(
  db: PrismaClient,
  client: WebClient,
  app: Pick<SlackApp, 'teamId' | 'workspaceId'>,
  userId: string,
): Promise<Asker> {
  let response: unknown;
  try {
    ({ user: response } = await client.users.info({ user: userId }));
  } catch (error) {
    const code = slackCode(error);
    if (code === 'user_not_found' || code === 'user_not_visible') return { refusal: 'outsider' };
    throw error;
  }
  const account = user.safeParse(response).data;
  if (account === undefined || account.id !== userId) return { refusal: 'outsider' };
  if (isProgram(account)) return 'program';
  const refusal = refusalOf(account, app.workspaceId);
  if (refusal !== undefined) return { refusal };
  const email = people.email.safeParse(account.profile?.email);
  if (!email.success) return { refusal: 'noEmail' };
  if (account.is_email_confirmed !== true) return { refusal: 'unverified' };
  const person = await db.person.findFirst({ where: { email: email.data, teamId: app.teamId, status: 'active' } });
  const key = person === null ? undefined : await personKey(db, person.id);
  return key === undefined ? { refusal: 'unknown' } : { key };
}
