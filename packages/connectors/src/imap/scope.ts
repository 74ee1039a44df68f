import type { Sessions } from '#imap/sessions';
import type { PathFilter } from '#settings/path-filter';

/** What a connector reads. */
export interface Scope {
  readonly sessions: Sessions;
  readonly mailboxes: readonly string[];
  /** True for the names of folders to read. */
  readonly filter: PathFilter;
  /** Names of folders in the settings: they are read even if they are the trash, for example. */
  readonly namedFolders: ReadonlySet<string>;
  /** Older messages are ignored. */
  readonly since: Date | undefined;
  readonly readsAttachments: boolean;
  readonly maxItemBytes: number;
}
