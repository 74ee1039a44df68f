import { userPrincipal } from '@lectern/contracts';
import { invalidRequest } from '@lectern/service-kit';
import { type CheckStep, runChecks } from '#checks/run-checks';
import type { Connector, ConnectorCall } from '#connector';
import type { ConnectorHost } from '#host';
import { createGrowingWait } from '#http/growing-wait';
import { listFolders, openFolder } from '#imap/folders';
import { RejectedToken } from '#imap/imap-error';
import type { ImapCredentials, ImapSettings } from '#imap/imap-settings';
import { parseItemId } from '#imap/item-id';
import { listMessages, withSession } from '#imap/list-messages';
import { type ImapLogin, openSession } from '#imap/open-session';
import { readChanges, readCursor } from '#imap/read-changes';
import { type FolderCache, findItem, readItem } from '#imap/read-message';
import type { Scope } from '#imap/scope';
import { createSessions } from '#imap/sessions';
import { createClientTokens } from '#oauth/client-tokens';
import type { TokenSource } from '#oauth/oauth-provider';
import { createPathFilter } from '#settings/path-filter';
import type { SourcePermissions, SourceRef } from '#source';
import { SourceError } from '#source-error';

const TESTED_MAILBOXES = 20;
/** IMAP names no time to retry. */
const RATE_WAITS_MS = [1_000, 5_000, 30_000, 120_000, 600_000] as const;

const isAddress = (text: string): boolean => /^[^\s@]+@[^\s@]+$/.test(text);

const plural = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

type PasswordCredentials = Extract<ImapCredentials, { readonly password: string }>;

function loginOf(settings: ImapSettings, { user, password }: PasswordCredentials, mailbox: string): ImapLogin {
  switch (settings.delegation) {
    case 'master_user':
      return { user: `${mailbox}*${user}`, password };
    case 'authorization_id':
      return { user, password, authorization: mailbox };
    default:
      return { user, password };
  }
}

/** Throws for a delegation that does not fit the credentials. */
function checkDelegation({ delegation }: ImapSettings, credentials: ImapCredentials): void {
  if (delegation === undefined || (delegation === 'access_token') === 'client' in credentials) return;
  const needed = 'client' in credentials ? 'must be access_token with OAuth' : 'can be access_token only with OAuth';
  throw invalidRequest([{ path: 'config.delegation', message: needed }]);
}

/** Opens the mailboxes of an IMAP server. Items are messages and attachments. */
export function openImap(
  settings: ImapSettings,
  credentials: ImapCredentials,
  host: Pick<ConnectorHost, 'egress' | 'maxItemBytes' | 'renewCredential'>,
): Connector {
  checkDelegation(settings, credentials);
  const wait = createGrowingWait(RATE_WAITS_MS);
  const { egress, maxItemBytes } = host;
  const address = { host: settings.host, port: settings.port, security: settings.security };
  const openAs = (login: ImapLogin, signal: AbortSignal) =>
    openSession({ address, login, egress, maxItemBytes, nextTry: () => wait.next() }, signal);
  /** A token can be revoked before it expires, so a rejected one is renewed once. */
  const openWithToken = async (tokens: TokenSource, mailbox: string, signal: AbortSignal) => {
    const accessToken = await tokens.access(signal);
    try {
      return await openAs({ user: mailbox, accessToken }, signal);
    } catch (error) {
      if (!(error instanceof RejectedToken)) throw error;
      const renewed = await tokens.renew(accessToken, signal);
      if (renewed === accessToken) throw error;
      return openAs({ user: mailbox, accessToken: renewed }, signal);
    }
  };
  const opener = (): Parameters<typeof createSessions>[0] => {
    if (!('client' in credentials)) return (signal, mailbox) => openAs(loginOf(settings, credentials, mailbox), signal);
    const tokens = createClientTokens(credentials.client, host);
    return (signal, mailbox) => openWithToken(tokens, mailbox, signal);
  };
  const sessions = createSessions(opener());
  const scope: Scope = {
    sessions: {
      ...sessions,
      use: async (signal, mailbox, use) => {
        const result = await sessions.use(signal, mailbox, use);
        wait.reset();
        return result;
      },
    },
    mailboxes: settings.mailboxes ?? [credentials.user],
    filter: createPathFilter(settings.folders),
    namedFolders: new Set(settings.folders.filter((pattern) => !/^!|[*?{]/.test(pattern))),
    since: settings.since === undefined ? undefined : new Date(settings.since),
    readsAttachments: settings.readsAttachments,
    maxItemBytes,
  };
  const cache: FolderCache = new Map();

  /** A mailbox is private to its owner, unless the settings list its readers. */
  const readersOf = (mailbox: string): readonly string[] => {
    if (settings.principals !== undefined) return settings.principals;
    return isAddress(mailbox) ? [userPrincipal(mailbox)] : [];
  };

  const checkMailbox = async (call: ConnectorCall, mailbox: string): Promise<string> => {
    const folders = await withSession(scope, call, mailbox, (step) => listFolders(scope, step));
    const [first] = folders;
    if (first === undefined) throw new SourceError('invalid', `No folder of ${mailbox} matches config.folders.`);
    await withSession(scope, call, mailbox, (step) => openFolder(step, first));
    return `${plural(folders.length, 'folder', 'folders')} of ${mailbox} can be read.`;
  };
  const checkReaders = async (): Promise<string> => {
    const unowned = scope.mailboxes.filter((mailbox) => readersOf(mailbox).length === 0);
    if (unowned.length > 0) {
      throw new SourceError(
        'invalid',
        `No one can read the documents: ${unowned.slice(0, 5).join(', ')} is not an email address. Set config.principals.`,
      );
    }
    return settings.principals === undefined
      ? 'Only the owner of a mailbox can read its documents.'
      : 'The readers in config.principals can read the documents.';
  };

  async function* permissions(
    call: ConnectorCall,
    refs: readonly SourceRef[],
  ): AsyncGenerator<SourcePermissions, void, void> {
    call.signal.throwIfAborted();
    for (const { id } of refs) {
      const mailbox = parseItemId(id)?.mailbox;
      const isRead = mailbox !== undefined && scope.mailboxes.includes(mailbox);
      yield { id, principals: isRead ? readersOf(mailbox) : [] };
    }
  }

  return {
    test: (call) =>
      runChecks([
        ...scope.mailboxes
          .slice(0, TESTED_MAILBOXES)
          .map((mailbox): CheckStep => [mailbox, () => checkMailbox(call, mailbox)]),
        ['readers', checkReaders],
      ]),
    list: (call, from) => listMessages(scope, call, from),
    cursor: (call) => readCursor(scope, call),
    changes: (call, from) => readChanges(scope, call, from),
    resolve: (call, id) => findItem(scope, call, id),
    fetch: (call, ref) => readItem(scope, cache, call, ref),
    permissions,
    close: () => sessions.close(),
  };
}
