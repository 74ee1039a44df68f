import type { ConnectorCall } from '#connector';
import type { Account, GithubApi, Repository } from '#github/github-api';
import { parseItemId, type RepoName } from '#github/item-id';
import { publicAddresses } from '#host';
import { groupPrincipal } from '#settings/group-principal';
import type { SourceGroup, SourcePermissions, SourceRef } from '#source';
import { SourceError } from '#source-error';

/** Repositories on the server with its API at `address`. */
export interface RepositoriesAt {
  readonly repos: readonly RepoName[];
  readonly address: string;
}

const isPublic = (repository: Repository): boolean => !repository.private && repository.visibility !== 'internal';

/**
 * Returns the group of everyone who can read a non-public repository. Owner names are unique on a
 * server, so any server other than github.com is part of the name.
 */
export function groupOf({ owner, name }: RepoName, address: string): string {
  const { host } = new URL(address);
  const isPublicSite = host === new URL(publicAddresses.github).host;
  return groupPrincipal('github', name, isPublicSite ? owner : `${host}/${owner}`).toLowerCase();
}

const isInaccessible = (error: unknown): boolean =>
  error instanceof SourceError && ['gone', 'forbidden', 'invalid'].includes(error.kind);

/**
 * Yields the readers of each file: everyone, or the repository's group. No one can read an
 * inaccessible repository.
 */
export async function* readPermissions(
  api: GithubApi,
  call: ConnectorCall,
  { repos, address }: RepositoriesAt,
  refs: readonly SourceRef[],
): AsyncGenerator<SourcePermissions, void, void> {
  const known = new Map<RepoName, readonly string[]>();
  for (const ref of refs) {
    const repo = parseItemId(ref.id, repos)?.repo;
    if (repo !== undefined && !known.has(repo)) known.set(repo, await readersOf(api, call, repo, address));
    yield { id: ref.id, principals: (repo && known.get(repo)) ?? [] };
  }
}

async function readersOf(
  api: GithubApi,
  call: ConnectorCall,
  repo: RepoName,
  address: string,
): Promise<readonly string[]> {
  try {
    return [isPublic(await api.repository(call, repo)) ? 'public' : groupOf(repo, address)];
  } catch (error) {
    if (isInaccessible(error)) return [];
    throw error;
  }
}

/**
 * Creates a function that returns an account's principal: its email if visible, else its id.
 * Caches accounts.
 */
function createNaming(api: GithubApi, call: ConnectorCall): (account: Account) => Promise<string> {
  const names = new Map<number, string>();
  return async (account) => {
    let name = names.get(account.id);
    if (name === undefined) {
      const email = account.email ?? (await emailOf(api, call, account.login));
      name = email ? `user:${email.toLowerCase()}` : `user:github:${account.id}`;
      names.set(account.id, name);
    }
    return name;
  };
}

async function emailOf(api: GithubApi, call: ConnectorCall, login: string): Promise<string | undefined> {
  try {
    return (await api.user(call, login)).email ?? undefined;
  } catch (error) {
    if (isInaccessible(error)) return undefined;
    throw error;
  }
}

/**
 * Yields the groups of non-public repositories: collaborators, and for internal ones also the
 * organization's members. GitHub requires a token with push access; otherwise the group has no
 * members.
 */
export async function* readGroups(
  api: GithubApi,
  call: ConnectorCall,
  { repos, address }: RepositoriesAt,
): AsyncGenerator<SourceGroup, void, void> {
  const nameOf = createNaming(api, call);
  for (const repo of repos) {
    try {
      const repository = await api.repository(call, repo);
      if (isPublic(repository)) continue;
      const accounts = [...(await api.collaborators(call, repo))];
      if (repository.visibility === 'internal') accounts.push(...(await api.members(call, repo.owner)));
      const members = new Set<string>();
      for (const account of accounts) members.add(await nameOf(account));
      yield { principal: groupOf(repo, address), members: [...members] };
    } catch (error) {
      if (!isInaccessible(error)) throw error;
      yield { principal: groupOf(repo, address), members: [] };
    }
  }
}
