import type { SealedEndpoint, TeamModels } from '@lectern/contracts';
import type { Sealed, Secrets } from '@lectern/service-kit';
import { z } from 'zod';
import { ENDPOINT_PROVIDERS } from '#endpoints/model-endpoint';
import type { TeamChoice, TeamEndpoint } from '#endpoints/team-models';

const secret = z.object({ key: z.string() });
const provider = z.enum(ENDPOINT_PROVIDERS);

/** Converts what the chat service stores about the models of a team. Keys are opened when they are needed. */
export const openTeamChoice = (
  { endpoints, defaultModel }: TeamModels,
  secrets: Secrets,
  teamId: string,
): TeamChoice => ({
  endpoints: endpoints.map((sealed) => openEndpoint(sealed, secrets, teamId)),
  defaultModel,
});

/** Opens the key of an endpoint. Throws AppError `unavailable`. */
export function openEndpointKey(
  { sealed, wrappedKey, masterKeyVersion }: Sealed,
  secrets: Secrets,
  owner: { readonly row: string; readonly team: string },
): string | undefined {
  if (sealed.byteLength === 0) return undefined;
  return secret.parse(secrets.open({ sealed, wrappedKey, masterKeyVersion }, owner)).key;
}

function openEndpoint({ endpoint, ...value }: SealedEndpoint, secrets: Secrets, team: string): TeamEndpoint {
  if (endpoint === undefined) throw new TypeError('The chat service returned no endpoint');
  const { id, name, revision, url, models } = endpoint;
  const sealed = {
    sealed: Uint8Array.from(value.sealed),
    wrappedKey: Uint8Array.from(value.wrappedKey),
    masterKeyVersion: value.masterKeyVersion,
  };
  return {
    id,
    name,
    revision,
    models,
    provider: provider.parse(endpoint.provider),
    baseUrl: url,
    apiKey: () => openEndpointKey(sealed, secrets, { row: id, team }),
  };
}
