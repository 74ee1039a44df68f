import { call } from '#api/request.ts';

/** Either a connector that there is, or what a new one is made of. */
type Target = { readonly connectorId: string } | { readonly name: string; readonly collection: string };

/** Sends the person to the provider, who sends them back to the connectors. Throws `ApiError`. */
export async function beginOAuth(provider: string, target: Target): Promise<void> {
  const redirectUri = `${location.origin}/console/connectors`;
  const begun = await call<{ readonly authorizationUrl: string }>('POST', '/api/v1/oauth/init', {
    body: { provider, redirectUri, ...target },
  });
  const address = new URL(begun.authorizationUrl);
  if (!/^https?:$/.test(address.protocol)) throw new TypeError('The provider’s address is none for a browser.');
  location.assign(address);
}
