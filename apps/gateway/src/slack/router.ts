import { AppError, invalidRequest } from '@lectern/service-kit';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import { z } from 'zod';
import type { Context } from '#context';
import type { SlackApp } from '#gen/prisma/client';
import { readBytes } from '#http/body/read-bytes';
import { otherMethod } from '#http/errors';
import { clientNetwork } from '#limits/client-ip';
import { measure } from '#pipeline/measure';
import { clientOf } from '#pipeline/run-operation';
import { openSecrets } from '#slack/app-store';
import { receiveEvent, receiveInteraction } from '#slack/receive';
import { isSignedWith, readSlackSignature } from '#slack/signature';
import { claimedWorkspace } from '#slack/tasks';

const MAX_BYTES = 1024 * 1024;
const BODY_TIMEOUT_MS = 10_000;
/** Apps whose secret is tried: those of one workspace, or of all for Slack's test of the address. */
const MAX_CANDIDATES = 200;

const verification = z.object({ type: z.literal('url_verification'), challenge: z.string().min(1).max(1_000) });

const unsigned = () =>
  new AppError(
    'unauthorized',
    'The request has no valid signature of Slack. Check the signing secret of the app in Lectern, and the clock of the server.',
  );

/** Reads JSON, or JSON in the field `payload` of a form. */
function parseBody(bytes: Buffer, isForm: boolean): unknown {
  const text = bytes.toString('utf8');
  try {
    return JSON.parse(isForm ? (new URLSearchParams(text).get('payload') ?? '') : text);
  } catch {
    throw invalidRequest([{ path: 'body', message: 'must be JSON' }]);
  }
}

/** Finds the app that signed a request. Slack's test of the address names no workspace. */
async function signer(ctx: Context, request: Request, bytes: Buffer, body: unknown): Promise<SlackApp | undefined> {
  const signature = readSlackSignature(request.headers);
  const workspaceId = claimedWorkspace(body);
  if (signature === undefined) return undefined;
  if (workspaceId === undefined && !verification.safeParse(body).success) return undefined;
  const where = { transport: 'http', isEnabled: true, ...(workspaceId === undefined ? {} : { workspaceId }) } as const;
  const orderBy = { createdAt: 'desc' } as const;
  const apps = await ctx.db.slackApp.findMany({ where, orderBy, take: MAX_CANDIDATES });
  return apps.find((app) => {
    const { signingSecret } = openSecrets(ctx.secrets, app);
    return signingSecret !== undefined && isSignedWith(signingSecret, signature, bytes);
  });
}

type Receive = (ctx: Context, app: SlackApp, body: unknown, raw: string) => Promise<void>;

/** Accepts a request of Slack: signature, durable row, response within 3 seconds. */
function receiver(ctx: Context, isForm: boolean, receive: Receive): RequestHandler {
  return async (request: Request, response: Response) => {
    const network = clientNetwork(clientOf(ctx, request).address);
    const createError = ctx.slackRequests.tryTake(network);
    if (createError !== undefined) throw createError(response);
    const source = { headers: request.headers, bytes: request, isComplete: () => request.complete };
    const bytes = await readBytes(source, { limitBytes: MAX_BYTES, timeoutMs: BODY_TIMEOUT_MS });
    const body = parseBody(bytes, isForm);
    const app = await signer(ctx, request, bytes, body);
    if (app === undefined) throw unsigned();
    ctx.slackRequests.giveBack(network);
    const challenge = verification.safeParse(body).data?.challenge;
    if (challenge !== undefined) {
      response.type('text/plain').send(challenge);
      return;
    }
    await receive(ctx, app, body, bytes.toString('utf8'));
    response.status(200).end();
  };
}

/** Serves the addresses that Slack apps without Socket Mode call. */
export function slackRouter(ctx: Context): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const routes = [
    { path: '/slack/events', id: 'slackEvents', isForm: false, receive: receiveEvent },
    { path: '/slack/interactions', id: 'slackInteractions', isForm: true, receive: receiveInteraction },
  ] as const;
  for (const { path, id, isForm, receive } of routes) {
    const route = router.route(path);
    route.post(measure({ id }), receiver(ctx, isForm, receive));
    route.all(otherMethod('POST'));
  }
  return router;
}
