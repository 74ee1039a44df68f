import { lectern } from '#api/lectern.ts';

/** An existing connector, or the fields of a new one. */
type Target = { readonly connectorId: string } | { readonly name: string; readonly collection: string };

/** Redirects to the provider, which redirects back to the connectors page. */
export async function beginOAuth(provider: string, target: Target): Promise<void> {
  const redirectUri = `${location.origin}/console/connectors`;
  const authorization = await lectern().connectors.authorize({ provider, redirectUri, ...target });
  const url = new URL(authorization.authorizationUrl);
  if (!/^https?:$/.test(url.protocol)) throw new TypeError('The provider returned an invalid authorization URL.');
  location.assign(url);
}
