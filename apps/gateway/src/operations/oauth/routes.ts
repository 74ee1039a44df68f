import { oauth } from '@lectern/api-spec';
import { isId } from '@lectern/contracts';
import { invalidRequest, onBehalfOf, systemCaller } from '@lectern/service-kit';
import type { Context } from '#context';
import { type ApiResponse, data, redirect } from '#http/api-response';
import { callbackUrlOf, publicUrl } from '#http/public-url';
import { time } from '#operations/convert';
import { isBrowser, isOwnPage, newBrowserSecret, oauthCookie, readOAuthCookie } from '#operations/oauth/browser';
import { checkRedirect } from '#operations/oauth/check-redirect';
import { confirmPage } from '#operations/oauth/confirm-page';
import { type OpenCall, openRoute, route } from '#pipeline/operation';

/** Returns the team in a state. The connector service checks whether the state is valid. */
function teamOf(state: string): string {
  const [teamId = ''] = state.split('.', 1);
  if (isId('team', teamId)) return teamId;
  throw invalidRequest([{ path: 'state', message: 'is unknown, used or expired; start the authorization again' }]);
}

function withOutcome(redirectUri: string, connectorId: string, status: string): string {
  const url = new URL(redirectUri);
  url.searchParams.set('connectorId', connectorId);
  url.searchParams.set('status', status);
  return url.toString();
}

/**
 * True if the person continued on the confirmation page in this browser: the link matches the
 * cookie of the page.
 */
function isConfirmed({ state, confirm }: oauth.CallbackQuery, { headers }: OpenCall): boolean {
  return confirm !== undefined && confirm === readOAuthCookie('confirm', state, headers);
}

/** An authorization that no browser has started. */
interface UnboundAuthorization {
  readonly provider: string;
  readonly connectorName: string;
  readonly teamId: string;
  readonly query: { readonly state: string; readonly code?: string | undefined };
}

/**
 * Asks the person whether they started an authorization that a server began: anyone could have sent
 * them the link.
 */
async function askForConfirmation(
  { config, db }: Context,
  call: OpenCall,
  { provider, connectorName, teamId, query: { state, code = '' } }: UnboundAuthorization,
): Promise<ApiResponse> {
  const callbackUrl = callbackUrlOf(publicUrl(config.PUBLIC_URL, call.host, call.client.isSecure), provider);
  const team = await db.team.findUnique({ where: { id: teamId }, select: { name: true } });
  const confirm = newBrowserSecret();
  return confirmPage({
    provider,
    connectorName,
    teamName: team?.name ?? '',
    connectUrl: `?${new URLSearchParams({ state, code, confirm })}`,
    cancelUrl: `?${new URLSearchParams({ state, error: 'access_denied' })}`,
    cookie: oauthCookie('confirm', state, confirm, callbackUrl),
  });
}

export const oauthRoutes = [
  route(oauth.initOAuth, async (ctx, { body: { redirectUri, collection, ...body } }, call) => {
    const installation = publicUrl(ctx.config.PUBLIC_URL, call.host, call.client.isSecure);
    const callbackUrl = callbackUrlOf(installation, body.provider);
    // Only the console's own request comes from a browser. If a server starts it, the callback asks
    // the person (docs/adr/0017).
    const browserSecret = isOwnPage(call.headers, installation) ? newBrowserSecret() : undefined;
    const request = {
      ...body,
      collectionId: collection,
      callbackUrl,
      browserSecret,
      redirectUri: redirectUri && checkRedirect(redirectUri, ctx.config.OAUTH_REDIRECT_ALLOWLIST, installation),
    };
    const { expiresAt, ...authorization } = await ctx.clients.oauth.initAuthorization(request, onBehalfOf(call));
    const headers =
      browserSecret === undefined
        ? {}
        : { 'Set-Cookie': oauthCookie('start', authorization.state, browserSecret, callbackUrl) };
    return data({ ...authorization, expiresAt: time(expiresAt) }, headers);
  }),

  openRoute(oauth.completeOAuth, async (ctx, { params: { provider }, query }, call) => {
    const caller = systemCaller(teamOf(query.state));
    const options = onBehalfOf({ ...call, caller });
    const { confirm, ...outcome } = query;
    const browserSecret = readOAuthCookie('start', query.state, call.headers);
    if (outcome.code !== undefined && isBrowser(call.headers) && !isConfirmed(query, call)) {
      const { isBound, connectorName } = await ctx.clients.oauth.describeAuthorization(
        { provider, state: query.state },
        options,
      );
      if (!isBound)
        return askForConfirmation(ctx, call, { provider, connectorName, teamId: caller.teamId, query: outcome });
    }
    const response = await ctx.clients.oauth.completeAuthorization({ provider, ...outcome, browserSecret }, options);
    const { connectorId, redirectUri, message } = response;
    const status = response.success ? 'success' : 'error';
    if (redirectUri !== undefined) return redirect(withOutcome(redirectUri, connectorId, status));
    return data({ connectorId, provider, status, ...(message === undefined ? {} : { message }) });
  }),
];
