import { type Logger, newId, REWRAP_BATCH, rewrapRows, type Secrets } from '@lectern/service-kit';
import { z } from 'zod';
import { recordAudit } from '#audit/record-audit';
import type { Prisma, PrismaClient, SlackApp, SlackTransport } from '#gen/prisma/client';

type Db = Prisma.TransactionClient;

/** A team has a few workspaces, not hundreds. */
export const MAX_APPS = 20;

const secretsSchema = z.object({
  botToken: z.string(),
  signingSecret: z.string().optional(),
  appToken: z.string().optional(),
});

/** What Slack gave the admin. */
export type SlackSecrets = z.output<typeof secretsSchema>;

/** The workspace and the bot, as Slack reports them. */
export type Installation = Pick<SlackApp, 'workspaceId' | 'workspaceName' | 'botUserId' | 'botId'>;

/** The settings of an app that can be changed. */
export interface AppSettings {
  readonly name: string;
  readonly transport: SlackTransport;
  readonly collections: string[];
  readonly agentId: string | null;
  readonly channels: string[];
  readonly isEnabled: boolean;
}

/** The settings that a request names. */
export type AppChanges = { readonly [K in keyof AppSettings]?: AppSettings[K] | undefined };

/** Decrypts the secrets of an app. Throws `unavailable`. */
export function openSecrets(secrets: Secrets, app: SlackApp): SlackSecrets {
  return secretsSchema.parse(secrets.open(app, { row: app.id, team: app.teamId }));
}

/** Creates an app. Returns undefined if it exists in any team. */
export async function createApp(
  db: Db,
  secrets: Secrets,
  teamId: string,
  app: AppSettings & Installation,
  own: SlackSecrets,
): Promise<SlackApp | undefined> {
  const id = newId('slackApp');
  const sealed = secrets.seal(own, { row: id, team: teamId });
  const data = [{ id, teamId, ...app, ...sealed, updatedAt: new Date() }];
  const [created] = await db.slackApp.createManyAndReturn({ data, skipDuplicates: true });
  return created;
}

/** Finds an app of a team. */
export async function findApp(db: Db, teamId: string, id: string): Promise<SlackApp | undefined> {
  return (await db.slackApp.findFirst({ where: { id, teamId } })) ?? undefined;
}

/** Returns a page of the apps of a team by name, and their total number. */
export async function listApps(
  db: Db,
  teamId: string,
  { skip, take }: { readonly skip: number; readonly take: number },
): Promise<{ readonly apps: readonly SlackApp[]; readonly total: number }> {
  const where = { teamId };
  const apps = await db.slackApp.findMany({ where, orderBy: [{ name: 'asc' }, { id: 'asc' }], skip, take });
  return { apps, total: await db.slackApp.count({ where }) };
}

/** Changes an app. New secrets make a failed app work again. */
export function updateApp(
  db: Db,
  secrets: Secrets,
  app: SlackApp,
  changes: AppChanges,
  own: SlackSecrets | undefined,
): Promise<SlackApp> {
  const sealed =
    own === undefined
      ? {}
      : {
          ...secrets.seal(own, { row: app.id, team: app.teamId }),
          status: 'active' as const,
          statusReason: null,
        };
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  return db.slackApp.update({ where: { id: app.id }, data: { ...given, ...sealed } });
}

export const deleteApp = (db: Db, id: string): Promise<SlackApp> => db.slackApp.delete({ where: { id } });

/**
 * Marks an app as failed, once, with an audit event. An app whose secrets were replaced in the meantime
 * stays active.
 */
export async function failApp(db: PrismaClient, app: SlackApp, reason: string): Promise<void> {
  await db.$transaction(async (tx) => {
    const where = { id: app.id, status: 'active', sealed: app.sealed } as const;
    const { count } = await tx.slackApp.updateMany({ where, data: { status: 'failed', statusReason: reason } });
    if (count === 0) return;
    const actor = { teamId: app.teamId, keyId: undefined, origin: 'slack' };
    const details = { name: app.name, workspace: app.workspaceName, reason };
    await recordAudit(tx, actor, {
      action: 'slackAppFailed',
      resourceType: 'slack_app',
      resourceId: app.id,
      details,
    });
  });
}

/** Rewraps the secrets that an older master key wraps. */
export const rewrapSlackSecrets = (db: PrismaClient, secrets: Secrets, log: Logger): Promise<void> =>
  rewrapRows(
    secrets,
    log,
    (where) => db.slackApp.findMany({ where, orderBy: { id: 'asc' }, take: REWRAP_BATCH }),
    ({ id, wrappedKey }, data) => db.slackApp.updateMany({ where: { id, wrappedKey }, data }),
  );
