import { buildEndSessionUrl } from 'openid-client';
import type { Context } from '#context';
import { withDeadline } from '#deadline';
import type { IdentityProvider, Session } from '#gen/prisma/client';
import { providerUrls, requireTrustedUrl } from '#identity/oidc/urls';
import type { OpenCall } from '#pipeline/operation';

/** Signing out must not wait for the provider for long. */
const TIMEOUT_MS = 3_000;

/** The row of a session's ID token. */
export const tokenOwner = ({ id, teamId }: Pick<IdentityProvider, 'id' | 'teamId'>, subject: string) => ({
  row: `${id} ${subject}`,
  team: teamId,
});

/** Returns the ID token of a session, which shows the provider whom to sign out. */
function idTokenOf(
  { secrets }: Pick<Context, 'secrets'>,
  provider: IdentityProvider,
  { subject, sealed, wrappedKey, masterKeyVersion }: Session,
): string | undefined {
  if (subject === null || sealed === null || wrappedKey === null || masterKeyVersion === null) return undefined;
  try {
    return String(secrets.open({ sealed, wrappedKey, masterKeyVersion }, tokenOwner(provider, subject)));
  } catch {
    // Its master key was removed. Without the token, the provider asks the person.
    return undefined;
  }
}

/**
 * Returns where the browser signs out of the provider that started the session. Returns null if there is
 * none, or if it does not support this or does not respond: the session here has ended in any case.
 */
export async function providerSignOutUrl(
  ctx: Pick<Context, 'config' | 'log' | 'oidc' | 'secrets'>,
  session: (Session & { readonly provider: IdentityProvider | null }) | null,
  call: OpenCall,
): Promise<string | null> {
  const provider = session?.provider ?? undefined;
  if (session === null || provider === undefined) return null;
  const { PUBLIC_URL } = ctx.config;
  try {
    requireTrustedUrl(PUBLIC_URL, call);
    const late = () => new Error('The identity provider did not respond in time.');
    const { config } = await withDeadline(ctx.oidc.clientOf(provider), TIMEOUT_MS, late);
    if (config.serverMetadata().end_session_endpoint === undefined) return null;
    const hint = idTokenOf(ctx, provider, session);
    const { postLogoutRedirectUri } = providerUrls(PUBLIC_URL, call, provider.id);
    return buildEndSessionUrl(config, {
      post_logout_redirect_uri: postLogoutRedirectUri,
      ...(hint === undefined ? {} : { id_token_hint: hint }),
    }).href;
  } catch (err) {
    ctx.log.warn({ err, providerId: provider.id }, 'could not sign out at the identity provider');
    return null;
  }
}
