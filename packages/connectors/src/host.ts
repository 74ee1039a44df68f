import type { EgressGuard } from '@lectern/egress';
import type { BlobStore } from '#blobs/blob-store';
import type { ItemCatalog } from '#custom/item-catalog';
import type { TokenSource } from '#oauth/oauth-provider';
import type { FileCatalog } from '#upload/file-catalog';
import type { PageMemory } from '#web/page-memory';

/** The platforms' addresses from the operator's settings. */
export interface SourceAddresses {
  readonly github: string;
  /** Ends in `/api/`. */
  readonly slack: string;
  readonly notion: string;
  readonly google: string;
  readonly gmail: string;
  /** The Directory API of Google Workspace. */
  readonly googleAdmin: string;
  /** The complete URL of Google's token endpoint. */
  readonly googleToken: string;
  readonly salesforceLogin: string;
}

/** The platforms' public addresses, which are the defaults. */
export const publicAddresses: SourceAddresses = {
  github: 'https://api.github.com',
  slack: 'https://slack.com/api/',
  notion: 'https://api.notion.com',
  google: 'https://www.googleapis.com',
  gmail: 'https://gmail.googleapis.com',
  googleAdmin: 'https://admin.googleapis.com',
  googleToken: 'https://oauth2.googleapis.com/token',
  salesforceLogin: 'https://login.salesforce.com',
};

/** What a renewal returned. */
export interface RenewedCredential {
  /** The credential to use from now on. Undefined: the same one. */
  readonly replacement: string | undefined;
}

/** The services that Lectern provides to a connector. Each type uses a part of them. */
export interface ConnectorHost {
  readonly blobs: BlobStore;
  /** The files uploaded to this connector. */
  readonly files: FileCatalog;
  /** The items pushed to this connector. */
  readonly items: ItemCatalog;
  /** The pages of this connector's earlier crawls. */
  readonly pages: PageMemory;
  readonly egress: EgressGuard;
  readonly addresses: SourceAddresses;
  /** For types with `oauth`. */
  readonly tokens: TokenSource;
  /**
   * Renews something with a credential that its provider may replace, and stores the replacement.
   * `renew` gets the stored credential, or `known` if others were entered in the meantime. It can be
   * called again if another process has replaced the credential first.
   */
  readonly renewCredential: <T extends RenewedCredential>(
    field: string,
    known: string,
    renew: (current: string) => Promise<T>,
  ) => Promise<T>;
  /** The largest item to read, in bytes. */
  readonly maxItemBytes: number;
}
