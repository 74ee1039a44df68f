import { runChecks } from '#checks/run-checks';
import type { Connector, ConnectorCall } from '#connector';
import { canContainText } from '#git/readable-files';
import { createGithubApi } from '#github/github-api';
import { EmptyRepository } from '#github/github-error';
import { itemId, parseItemId, parseRepo, type RepoName, textOfRepo } from '#github/item-id';
import { listFiles } from '#github/list-files';
import { readChanges, readCursor } from '#github/read-changes';
import { readFile } from '#github/read-file';
import { readGroups, readPermissions } from '#github/read-permissions';
import type { Readable } from '#github/readable';
import { refOfEntry } from '#github/to-ref';
import { findEntry, isFile } from '#github/walk-tree';
import type { ConnectorHost } from '#host';
import { createPathFilter } from '#settings/path-filter';
import type { SourceRef } from '#source';
import { SourceError } from '#source-error';

const TESTED_REPOSITORIES = 20;

export interface GithubConfig {
  readonly repos: readonly string[];
  readonly branch?: string | undefined;
  readonly pathFilter?: readonly string[] | undefined;
}

/** Opens the files of repositories on one branch. Item ids are `owner/repo:path`. */
export function openGithub(
  config: GithubConfig,
  { token }: { readonly token: string },
  host: Pick<ConnectorHost, 'egress' | 'addresses'>,
): Connector {
  const api = createGithubApi(host, token);
  const filter = createPathFilter(config.pathFilter);
  const repos = config.repos.map(parseRepo);
  const at = { repos, address: host.addresses.github };
  const readable: Readable = { repos, branch: config.branch, has: (path) => filter(path) && canContainText(path) };

  const check = async (call: ConnectorCall, repo: RepoName): Promise<string> => {
    const repository = await api.repository(call, repo);
    const branch = config.branch ?? repository.default_branch;
    try {
      await api.commit(call, repo, branch);
    } catch (error) {
      if (error instanceof EmptyRepository) return `${textOfRepo(repo)} is empty.`;
      throw error;
    }
    return `The branch ${branch} of ${textOfRepo(repo)} can be read.`;
  };

  const resolve = async (call: ConnectorCall, id: string): Promise<SourceRef | null> => {
    const named = parseItemId(id, repos);
    if (named === undefined || !readable.has(named.path)) return null;
    const { repo, path } = named;
    try {
      const repository = await api.repository(call, repo);
      const commit = await api.commit(call, repo, config.branch ?? repository.default_branch);
      const entry = await findEntry(api, call, repo, commit, path);
      return entry === undefined || !isFile(entry) ? null : refOfEntry(repository, repo, commit, entry);
    } catch (error) {
      if (error instanceof EmptyRepository) return null;
      // The file is not necessarily deleted: the token could have lost its access.
      if (error instanceof SourceError && error.kind === 'gone') {
        throw new SourceError(
          'forbidden',
          `${textOfRepo(repo)} or its branch does not exist, or the token has no access to it. Check the name and the token.`,
          {
            cause: error,
          },
        );
      }
      throw error;
    }
  };

  return {
    test: (call) =>
      runChecks(repos.slice(0, TESTED_REPOSITORIES).map((repo) => [textOfRepo(repo), () => check(call, repo)])),
    list: (call, from) => listFiles(api, call, readable, from),
    cursor: (call) => readCursor(api, call, readable),
    changes: (call, from) => readChanges(api, call, readable, from),
    resolve,
    idOf: (id) => {
      const named = parseItemId(id, repos);
      return named === undefined ? id : itemId(named.repo, named.path);
    },
    fetch: async (call, ref) => {
      const named = parseItemId(ref.id, repos);
      if (named === undefined || ref.version === undefined) {
        throw new SourceError('gone', `${ref.path} is no longer part of this connector.`);
      }
      return readFile(api, call, { ...named, sha: ref.version }, ref);
    },
    permissions: (call, refs) => readPermissions(api, call, at, refs),
    groups: (call) => readGroups(api, call, at),
  };
}
