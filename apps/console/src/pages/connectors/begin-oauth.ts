import { lectern } from '#api/lectern.ts';

/** Either a connector that there is, or what a new one is made of. */
type Target = { readonly connectorId: string } | { readonly name: string; readonly collection: string };

/** Sends the person to the provider, who sends them back to the connectors. */
export async function beginOAuth(provider: string, target: Target): Promise<void> {
  const redirectUri = `${location.origin}/console/connectors`;
  const begun = await lectern().connectors.authorize({ provider, redirectUri, ...target });
  const address = new URL(begun.authorizationUrl);
  if (!/^https?:$/.test(address.protocol)) throw new TypeError('The provider’s address is none for a browser.');
  location.assign(address);
}
