import type { OAuthClient } from '#oauth/client-tokens';

/**
 * `tls` from the first byte (port 993), or `starttls` (port 143). Without encryption, `none` connects
 * only to private addresses, which the operator allows.
 */
export const SECURITY = ['tls', 'starttls', 'none'] as const;
type Security = (typeof SECURITY)[number];

/**
 * How a user opens the mailboxes of others: `master_user` signs in as `mailbox*user`, as Dovecot and
 * others support; `authorization_id` names the mailbox in SASL PLAIN (RFC 4616); `access_token` signs
 * in as the mailbox with an access token that may open it.
 */
export const DELEGATIONS = ['master_user', 'authorization_id', 'access_token'] as const;
type Delegation = (typeof DELEGATIONS)[number];

export interface ImapSettings {
  readonly host: string;
  readonly port: number | undefined;
  readonly security: Security;
  /** Undefined for the mailbox of the user. */
  readonly mailboxes: readonly string[] | undefined;
  readonly delegation: Delegation | undefined;
  /** Patterns of folder paths. */
  readonly folders: readonly string[];
  /** A date, as YYYY-MM-DD: older messages are ignored. */
  readonly since: string | undefined;
  readonly readsAttachments: boolean;
  readonly principals: readonly string[] | undefined;
}

export type ImapCredentials =
  | { readonly user: string; readonly password: string }
  | { readonly user: string; readonly client: OAuthClient };

export const portOf = ({ port, security }: Pick<ImapSettings, 'port' | 'security'>): number =>
  port ?? (security === 'tls' ? 993 : 143);
