import type { z } from 'zod';
import type { Connector } from '../connector.ts';
import type { ConnectorHost } from '../host.ts';
import type { OAuthProvider } from '../oauth/oauth-provider.ts';
import { checkWithCommon, ownConfig } from './common-config.ts';
import { parseSettings } from './parse-settings.ts';

/** A connector's settings as they are kept: JSON, checked by its type. */
export type Settings = Readonly<Record<string, unknown>>;

/** A type of source: what it demands of its settings, and how it is opened. */
export interface ConnectorType {
  readonly name: string;
  /** True where files can be sent to it. */
  readonly acceptsFiles: boolean;
  /** Where a user authorises it in a browser; such a connector is `pending_auth` until then and takes no credentials. */
  readonly oauth: OAuthProvider | undefined;
  /**
   * Config fields that decide where credentials are sent, how they are protected on the way, and
   * what they open. Changing one requires the credentials again.
   */
  readonly endpointFields: readonly string[];
  /** The config as it is to be kept. Throws `invalid_request` that names each field at fault as `config.<field>`. */
  checkConfig(config: unknown): Settings;
  /** The same for credentials, as `credentials.<field>`. The message never repeats a value. */
  checkCredentials(credentials: unknown): Settings;
  /** A connector with these settings. Throws as the checks do. */
  open(settings: OpenSettings): Connector;
}

export interface OpenSettings {
  readonly config: unknown;
  readonly credentials: unknown;
  readonly host: ConnectorHost;
}

/** Declares a type. Config and credentials are strict objects: a field that they do not know is refused. */
export function defineType<Config extends Settings, Credentials extends Settings>(definition: {
  readonly name: string;
  readonly acceptsFiles: boolean;
  readonly oauth?: OAuthProvider;
  readonly endpointFields?: readonly (keyof Config & string)[];
  readonly config: z.ZodType<Config>;
  readonly credentials: z.ZodType<Credentials>;
  readonly open: (given: {
    readonly config: Config;
    readonly credentials: Credentials;
    readonly host: ConnectorHost;
  }) => Connector;
}): ConnectorType {
  const config = (value: unknown) => parseSettings(definition.config, value, 'config');
  const credentials = (value: unknown) => parseSettings(definition.credentials, value, 'credentials');
  return {
    name: definition.name,
    acceptsFiles: definition.acceptsFiles,
    oauth: definition.oauth,
    endpointFields: definition.endpointFields ?? [],
    checkConfig: (value) => checkWithCommon(value, config),
    checkCredentials: credentials,
    open: (settings) =>
      definition.open({
        config: config(ownConfig(settings.config)),
        credentials: credentials(settings.credentials),
        host: settings.host,
      }),
  };
}
