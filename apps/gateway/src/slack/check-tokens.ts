import { AppError, invalidRequest } from '@lectern/service-kit';
import { WebClient } from '@slack/web-api';
import type { Context } from '#context';
import type { SlackTransport } from '#gen/prisma/client';
import type { Installation, SlackSecrets } from '#slack/app-store';
import { BOT_SCOPES } from '#slack/scopes';
import { clientOptions, createSlackClient, slackProblem } from '#slack/slack-client';

/** What Slack reports about tokens. */
export interface TokenCheck extends Installation {
  readonly missingScopes: readonly string[];
}

/** Converts a failure of Slack: a rejected token is an error of the field. */
function tokenFailure(error: unknown, field: string): unknown {
  const problem = slackProblem(error);
  if (problem === undefined) return error;
  if (problem.kind === 'dead') return invalidRequest([{ path: field, message: `does not work. ${problem.reason}` }]);
  if (problem.kind === 'rejected') {
    return invalidRequest([{ path: field, message: `does not work: Slack reports ${problem.code}` }]);
  }
  return new AppError('unavailable', 'Slack did not respond. Retry in a minute.', { cause: error });
}

/**
 * Checks the secrets that a transport needs: the bot token, and for Socket Mode the app-level token. The
 * signing secret can only be checked by a request of Slack. Throws `invalid_request` and `unavailable`.
 */
export async function checkTokens(
  ctx: Pick<Context, 'config' | 'egress'>,
  transport: SlackTransport,
  { botToken, signingSecret, appToken }: SlackSecrets,
): Promise<TokenCheck> {
  if (transport === 'http' && signingSecret === undefined) {
    throw invalidRequest([{ path: 'signingSecret', message: 'is required for the transport http' }]);
  }
  if (transport === 'socket' && appToken === undefined) {
    throw invalidRequest([{ path: 'appToken', message: 'is required for the transport socket' }]);
  }
  const client = createSlackClient(ctx, botToken);
  const auth = await client.auth.test().catch((error: unknown) => {
    throw tokenFailure(error, 'botToken');
  });
  const { team_id: workspaceId, team: workspaceName = '', user_id: botUserId, bot_id: botId } = auth;
  if (workspaceId === undefined || botUserId === undefined || botId === undefined) {
    throw invalidRequest([{ path: 'botToken', message: 'must be the token of an app’s bot in a workspace' }]);
  }
  if (transport === 'socket' && appToken !== undefined) {
    const app = new WebClient(appToken, clientOptions(ctx));
    await app.apps.connections.open().catch((error: unknown) => {
      throw tokenFailure(error, 'appToken');
    });
  }
  const granted = auth.response_metadata?.scopes ?? [];
  const missingScopes = BOT_SCOPES.filter((scope) => !granted.includes(scope));
  return { workspaceId, workspaceName, botUserId, botId, missingScopes };
}

/** Throws `invalid_request` if the app lacks scopes. */
export function requireScopes({ missingScopes }: TokenCheck): void {
  if (missingScopes.length === 0) return;
  const message = `lacks the scopes ${missingScopes.join(', ')}. Add them to the app and install it again`;
  throw invalidRequest([{ path: 'botToken', message }]);
}
