import type { EgressGuard } from '@lectern/egress';
import type { BlobStore } from '#blobs/blob-store';
import type { ItemCatalog } from '#custom/item-catalog';
import type { TokenSource } from '#oauth/oauth-provider';
import type { FileCatalog } from '#upload/file-catalog';

/** The platforms' addresses from the operator's settings. */
export interface SourceAddresses {
  readonly github: string;
  /** Ends in `/api/`. */
  readonly slack: string;
  readonly notion: string;
  readonly google: string;
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
  googleAdmin: 'https://admin.googleapis.com',
  googleToken: 'https://oauth2.googleapis.com/token',
  salesforceLogin: 'https://login.salesforce.com',
};

/** The services that Lectern provides to a connector. Each type uses a part of them. */
export interface ConnectorHost {
  readonly blobs: BlobStore;
  /** The files uploaded to this connector. */
  readonly files: FileCatalog;
  /** The items pushed to this connector. */
  readonly items: ItemCatalog;
  readonly egress: EgressGuard;
  readonly addresses: SourceAddresses;
  /** For types with `oauth`. */
  readonly tokens: TokenSource;
  /** The largest item to read, in bytes. */
  readonly maxItemBytes: number;
}
