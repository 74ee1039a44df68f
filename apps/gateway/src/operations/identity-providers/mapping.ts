import type { IdentityProvider } from '#gen/prisma/client';
import { providerUrls } from '#identity/oidc/urls';
import { time } from '#operations/convert';
import type { OpenCall } from '#pipeline/operation';

/** The record of a provider, without its secret. */
export function identityProviderRecord(provider: IdentityProvider, setting: string | undefined, call: OpenCall) {
  const { id, slug, issuer, name, clientId, scopes, domains, defaultRole, createdAt, updatedAt } = provider;
  const { trustsAddresses, allowsOwners, groupsClaim, isShown, isFromSettings } = provider;
  const settings = {
    name,
    clientId,
    scopes,
    domains,
    defaultRole,
    trustsAddresses,
    allowsOwners,
    groupsClaim,
    isShown,
  };
  const times = { createdAt: time(createdAt), updatedAt: time(updatedAt) };
  return { id, slug, issuer, ...settings, isFromSettings, ...providerUrls(setting, call, id), ...times };
}
