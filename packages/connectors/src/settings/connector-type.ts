import type { z } from 'zod';
import type { Connector } from '#connector';
import type { ConnectorHost } from '#host';
import type { OAuthProvider } from '#oauth/oauth-provider';
import { checkWithCommon, typeConfigOf } from '#settings/common-config';
import { parseSettings } from '#settings/parse-settings';

/** A connector's stored settings: JSON, validated by its type. */
export type Settings = Readonly<Record<string, unknown>>;

/** A type of source: validates settings and opens connectors. */
export interface ConnectorType {
  readonly name: string;
  /** True if files can be uploaded to it. */
  readonly acceptsFiles: boolean;
  /** True if items can be pushed to it. */
  readonly acceptsItems: boolean;
  /**
   * Set if a user authorizes it in a browser. Until then, a connector is `pending_auth`; it has no
   * credentials.
   */
  readonly oauth: OAuthProvider | undefined;
  /**
   * True if a user authorizes a connector with these credentials in a browser: the type has
   * `oauth`, and the credentials do not replace it. Stored tokens are no such credentials.
   */
  needsAuthorization(credentials: Settings): boolean;
  /**
   * Config fields that decide where credentials are sent, how they are protected in transit, and
   * what they open. Changing one requires the credentials again.
   */
  readonly endpointFields: readonly string[];
  /** Config fields that decide who can read documents. After a change, readers are refreshed. */
  readonly readerFields: readonly string[];
  /**
   * Returns the config to store. Throws `invalid_request` that names each invalid field as
   * `config.<field>`.
   */
  checkConfig(config: unknown): Settings;
  /** Like `checkConfig`, for `credentials.<field>`. The message never contains a value. */
  checkCredentials(credentials: unknown): Settings;
  /** Opens a connector. Throws like the checks. */
  open(settings: OpenSettings): Connector;
}

export interface OpenSettings {
  readonly config: unknown;
  readonly credentials: unknown;
  readonly host: ConnectorHost;
}

/** Defines a type. Config and credentials are strict objects: unknown fields are rejected. */
export function defineType<Config extends Settings, Credentials extends Settings>(definition: {
  readonly name: string;
  readonly acceptsFiles: boolean;
  readonly acceptsItems?: boolean;
  readonly oauth?: OAuthProvider;
  /** With `oauth`: the field of credentials that replace the authorization by a user. */
  readonly credentialsInsteadOfOAuth?: keyof Credentials & string;
  readonly endpointFields?: readonly (keyof Config & string)[];
  /** Besides `principals`. */
  readonly readerFields?: readonly (keyof Config & string)[];
  readonly config: z.ZodType<Config>;
  readonly credentials: z.ZodType<Credentials>;
  readonly open: (options: {
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
    acceptsItems: definition.acceptsItems ?? false,
    oauth: definition.oauth,
    needsAuthorization: (value) => {
      const { oauth, credentialsInsteadOfOAuth: field } = definition;
      return oauth !== undefined && (field === undefined || value[field] === undefined);
    },
    endpointFields: definition.endpointFields ?? [],
    readerFields: ['principals', ...(definition.readerFields ?? [])],
    checkConfig: (value) => checkWithCommon(value, config),
    checkCredentials: credentials,
    open: (settings) =>
      definition.open({
        config: config(typeConfigOf(settings.config)),
        credentials: credentials(settings.credentials),
        host: settings.host,
      }),
  };
}
