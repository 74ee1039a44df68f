import type { BlobStore } from './blobs/blob-store.ts';
import type { EgressGuard } from './egress/egress-guard.ts';
import type { TokenSource } from './oauth/oauth-provider.ts';
import type { FileCatalogue } from './upload/file-catalogue.ts';

/** Where the platforms are: the operator's settings, each with the platform's public address as its default. */
export interface SourceAddresses {
  readonly github: string;
  /** Ends in `/api/`. */
  readonly slack: string;
  readonly notion: string;
  readonly google: string;
  readonly salesforceLogin: string;
}

/** The platforms' public addresses. */
export const publicAddresses: SourceAddresses = {
  github: 'https://api.github.com',
  slack: 'https://slack.com/api/',
  notion: 'https://api.notion.com',
  google: 'https://www.googleapis.com',
  salesforceLogin: 'https://login.salesforce.com',
};

/** What Lectern lends to the connector that it opens. Each type takes what it needs. */
export interface ConnectorHost {
  readonly blobs: BlobStore;
  /** The files that were sent to this connector. */
  readonly files: FileCatalogue;
  readonly egress: EgressGuard;
  readonly addresses: SourceAddresses;
  /** For types with `oauth`. */
  readonly tokens: TokenSource;
  /** Bytes of the largest item that is read. */
  readonly maxItemBytes: number;
}
