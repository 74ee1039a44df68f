import { backoffMs } from '@lectern/resilience';
import { newId, type Running, repeat } from '@lectern/service-kit';
import { SocketModeClient } from '@slack/socket-mode';
import { z } from 'zod';
import type { Context } from '#context';
import { withDeadline } from '#deadline';
import type { SlackApp } from '#gen/prisma/client';
import { failApp, openSecrets } from '#slack/app-store';
import { receiveEvent, receiveInteraction } from '#slack/receive';
import { clientOptions, silentLogger, slackProblem } from '#slack/slack-client';

const LEASE_MS = 15_000;
const CHECK_MS = 2_000;
const CONNECT_MS = 15_000;
const CLOSE_MS = 2_000;
const BACKOFF = { minDelayMs: CHECK_MS, maxDelayMs: 60_000 };

const envelope = z.object({
  type: z.string(),
  body: z.record(z.string(), z.unknown()),
  ack: z.custom<() => Promise<void>>((value) => typeof value === 'function'),
});

/** An open connection, or the wait before the next one. */
interface Socket {
  readonly client: SocketModeClient | undefined;
  /** The secrets that it was opened with. */
  readonly sealed: Uint8Array;
  readonly failures: number;
  readonly retryAt: number;
}

const isSame = (a: Uint8Array, b: Uint8Array) => Buffer.compare(a, b) === 0;

/** Takes or renews the lease of an app's WebSocket. Returns false if another replica has it. */
async function lease({ db }: Context, id: string, holder: string): Promise<boolean> {
  const taken = await db.$executeRaw`UPDATE slack_apps SET socket_holder = ${holder},
      socket_locked_until = now() + make_interval(secs => ${LEASE_MS / 1_000}::float8)
    WHERE id = ${id} AND (socket_holder IS NULL OR socket_holder = ${holder} OR socket_locked_until < now())`;
  return taken > 0;
}

async function release({ db }: Context, id: string, holder: string): Promise<void> {
  await db.$executeRaw`UPDATE slack_apps SET socket_holder = NULL, socket_locked_until = NULL
    WHERE id = ${id} AND socket_holder = ${holder}`;
}

async function close(client: SocketModeClient | undefined): Promise<void> {
  if (client === undefined) return;
  await withDeadline(client.disconnect(), CLOSE_MS, () => new Error('The connection did not close.')).catch(
    () => undefined,
  );
}

/** Stores what arrives, and acknowledges it then. Slack sends again what is not acknowledged. */
async function receive(ctx: Context, appId: string, message: unknown): Promise<void> {
  const { data } = envelope.safeParse(message);
  if (data === undefined) return;
  const app = await ctx.db.slackApp.findUnique({ where: { id: appId } });
  if (app?.isEnabled !== true) return;
  if (data.type === 'events_api') await receiveEvent(ctx, app, data.body);
  if (data.type === 'interactive') await receiveInteraction(ctx, app, data.body, JSON.stringify(data.body));
  await data.ack();
}

/** Opens a connection. Rejects if Slack does not accept it. */
async function open(ctx: Context, app: SlackApp, onEnd: (client: SocketModeClient) => void): Promise<SocketModeClient> {
  const { appToken = '' } = openSecrets(ctx.secrets, app);
  // Reconnecting here keeps the backoff and the lease together. The library's own attempts cannot be caught.
  const options = { autoReconnectEnabled: false, clientOptions: clientOptions(ctx), logger: silentLogger };
  const client = new SocketModeClient({ appToken, ...options });
  client.on('slack_event', (message: unknown) => {
    receive(ctx, app.id, message).catch((err: unknown) =>
      ctx.log.warn({ err, slackApp: app.id }, 'could not store an event of Slack; Slack sends it again'),
    );
  });
  try {
    await withDeadline(client.start(), CONNECT_MS, () => new Error('Slack did not accept the connection in time.'));
  } catch (error) {
    await close(client);
    throw error;
  }
  client.once('disconnected', () => onEnd(client));
  return client;
}

/** Keeps one WebSocket open for each app with Socket Mode, on one replica. */
export function startSlackSockets(ctx: Context): Running {
  const holder = newId('request');
  const sockets = new Map<string, Socket>();

  const connect = async (app: SlackApp, failures: number) => {
    const { id, sealed } = app;
    const retry = () => ({ client: undefined, sealed, failures: failures + 1 });
    try {
      const client = await open(ctx, app, (ended) => {
        if (sockets.get(id)?.client === ended) sockets.set(id, { client: undefined, sealed, failures: 0, retryAt: 0 });
      });
      sockets.set(id, { client, sealed, failures: 0, retryAt: 0 });
    } catch (err) {
      const problem = slackProblem(err);
      if (problem?.kind === 'dead') await failApp(ctx.db, app, `App-level token: ${problem.reason}`);
      const waitMs = problem?.kind === 'rate' ? problem.waitMs : backoffMs(failures + 1, BACKOFF);
      sockets.set(id, { ...retry(), retryAt: Date.now() + waitMs });
      ctx.log.warn({ err, slackApp: id }, 'could not connect to Slack; will retry');
    }
  };

  const end = async (id: string) => {
    const socket = sockets.get(id);
    sockets.delete(id);
    await close(socket?.client);
    await release(ctx, id, holder);
  };

  const check = async (signal: AbortSignal) => {
    const where = { transport: 'socket', isEnabled: true, status: 'active' } as const;
    const apps = await ctx.db.slackApp.findMany({ where });
    for (const id of sockets.keys()) if (!apps.some((app) => app.id === id)) await end(id);
    for (const app of apps) {
      if (signal.aborted) return;
      const known = sockets.get(app.id);
      if (!(await lease(ctx, app.id, holder))) {
        if (known !== undefined) await end(app.id);
        continue;
      }
      const isCurrent = known !== undefined && isSame(known.sealed, app.sealed);
      if (isCurrent && (known.client !== undefined || Date.now() < known.retryAt)) continue;
      await close(known?.client);
      await connect(app, isCurrent ? known.failures : 0);
    }
  };

  const checks = repeat({ name: 'connections to Slack', intervalMs: CHECK_MS, log: ctx.log }, check);
  return {
    stop: async () => {
      await checks.stop();
      await Promise.all(
        [...sockets.keys()].map((id) =>
          end(id).catch((err: unknown) => ctx.log.debug({ err }, 'could not release a connection to Slack')),
        ),
      );
    },
  };
}
