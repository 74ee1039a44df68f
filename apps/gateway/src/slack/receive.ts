import type { Context } from '#context';
import type { SlackApp } from '#gen/prisma/client';
import { failApp, openSecrets } from '#slack/app-store';
import { feedbackDialog } from '#slack/blocks';
import { storeTasks } from '#slack/inbox';
import { createSlackClient, deadReason } from '#slack/slack-client';
import { type Dialog, readEvent, readInteraction } from '#slack/tasks';

/** Stores what an event asks for, before Slack gets its acknowledgment. */
export async function receiveEvent(ctx: Context, app: SlackApp, body: unknown): Promise<void> {
  const meaning = readEvent(body, app);
  if (meaning === undefined) return;
  if ('failure' in meaning) {
    await failApp(ctx.db, app, deadReason(meaning.failure) ?? 'The app does not work any more.');
    return;
  }
  if ((await storeTasks(ctx.db, app.id, [meaning])) > 0) ctx.slack.wake();
}

async function openDialog(ctx: Context, app: SlackApp, { triggerId, metadata }: Dialog): Promise<void> {
  try {
    const client = createSlackClient(ctx, openSecrets(ctx.secrets, app).botToken);
    await client.views.open({ trigger_id: triggerId, view: feedbackDialog(metadata) });
  } catch (err) {
    // The rating itself is stored.
    ctx.log.warn({ err, slackApp: app.id }, 'could not open a dialog in Slack');
  }
}

/** Stores what somebody did with a message of the app. A replayed request opens no dialog again. */
export async function receiveInteraction(ctx: Context, app: SlackApp, body: unknown, raw: string): Promise<void> {
  const { tasks, dialog } = readInteraction(body, raw);
  if ((await storeTasks(ctx.db, app.id, tasks)) === 0) return;
  ctx.slack.wake();
  // Slack waits for the acknowledgment meanwhile.
  if (dialog !== undefined) void openDialog(ctx, app, dialog);
}
